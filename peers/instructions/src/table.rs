//! The table: instructions now and as committed, row by row, and their sums.

use crate::build::Build;
use comfy_table::{Cell, CellAlignment, Table, presets};
use insyn_peers_programs::measured::{Extent, Measured};

/// A program in one build.
pub(crate) struct Row {
    /// The program.
    pub(crate) program: Measured,
    /// The build.
    pub(crate) build: Build,
    /// Instructions for each sequence, or for each execution of a program of which only the first are run.
    pub(crate) now: f64,
    /// The same, as committed.
    pub(crate) before: Option<f64>,
}

/// Several rows together. Long programs take a thousand times what short ones take, and have a sum of their own.
pub(crate) struct Sum {
    /// What is summed up.
    pub(crate) title: &'static str,
    /// In which build.
    pub(crate) build: Build,
    /// The instructions of all rows.
    pub(crate) now: f64,
    /// The same, as committed; none if one of them is not.
    pub(crate) before: Option<f64>,
}

impl Row {
    /// How many times the committed figure it is now.
    pub(crate) fn ratio(&self) -> Option<f64> {
        Some(self.now / self.before?)
    }

    fn is_long(&self) -> bool {
        matches!(self.program.extent, Extent::First(_))
    }
}

impl Sum {
    /// How many times the committed sum it is now.
    pub(crate) fn ratio(&self) -> Option<f64> {
        Some(self.now / self.before?)
    }
}

/// The sums of the rows: in each build that of short programs and that of long ones, where there are any.
pub(crate) fn sums(rows: &[Row]) -> Vec<Sum> {
    let mut sums = Vec::new();
    for build in Build::ALL {
        for (title, long) in [("sum of short programs", false), ("sum of long programs", true)] {
            let summed = || rows.iter().filter(|row| row.build == build && row.is_long() == long);
            if summed().next().is_some() {
                let now = summed().map(|row| row.now).sum();
                let before = summed().map(|row| row.before).sum();
                sums.push(Sum { title, build, now, before });
            }
        }
    }
    sums
}

/// Renders the rows and their sums.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header(["program", "build", "instructions", "committed", "ratio"]);
    let sums = sums(rows);
    let rows = rows.iter().map(|row| (row.program.title, row.build, row.now, row.before, row.ratio()));
    let sums = sums.iter().map(|sum| (sum.title, sum.build, sum.now, sum.before, sum.ratio()));
    for (title, build, now, before, ratio) in rows.chain(sums) {
        let cells = [
            title.to_owned(),
            build.name().to_owned(),
            grouped(now),
            before.map_or_else(|| "–".to_owned(), grouped),
            ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.4}")),
        ];
        table.add_row(cells.into_iter().enumerate().map(|(column, text)| {
            let alignment = if column < 2 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(alignment)
        }));
    }
    table.to_string()
}

/// `12,345.6`
fn grouped(figure: f64) -> String {
    let digits = format!("{figure:.1}");
    let whole = digits.len() - 2;
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(
            [0.0, 999.9, 1_000.0, 362_880.25, 1_073_942.0].map(grouped),
            ["0.0", "999.9", "1,000.0", "362,880.2", "1,073,942.0"]
        );
    }
}
