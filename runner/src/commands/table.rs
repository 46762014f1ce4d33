//! Tables on a terminal.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, Table};

/// A table without lines, as wide as its content and no wider than the terminal (80 columns if there is none).
pub(super) fn table(header: &[&str], numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    if !table.is_tty() {
        table.set_width(80);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Prints a result. A reader that has gone away is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
