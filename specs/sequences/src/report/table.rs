//! Rows as text: one column per thread, with places beside the words if there is room, else in a column of their own; where
//! even that is too wide, one line after the other with the name of the thread.

use super::rows::{At, Cell, Row};
use super::style::{Ink, Style, columns, end_of, padded, start_of};
use crate::folding::{Part, parts};

/// How much of a long listing is shown.
const HEAD: usize = 40;
const TAIL: usize = 80;

/// The gap between columns.
const GAP: usize = 3;

/// The narrowest width that lines are broken to.
const NARROWEST: usize = 20;

/// The narrowest column of a thread.
const NARROWEST_COLUMN: usize = 18;

/// Places are not cut to less than this beside words.
const SHORTEST_PLACE: usize = 14;

/// A line, with the rows that it stands for left out.
enum Line<'r> {
    Row(&'r Row),
    Note(String),
}

/// A table of rows, whose columns are these threads.
pub(super) fn table(rows: &[Row], threads: &[(usize, String)], style: &Style) -> String {
    let lines = shortened(rows, style);
    let digits = rows.iter().filter_map(|row| row.number).max().unwrap_or(0).to_string().len();
    let layout = Layout { threads, digits, style };
    let text = layout.beside(&lines).or_else(|| layout.apart(&lines));
    text.unwrap_or_else(|| layout.stacked(&lines))
}

/// The lines to show: what repeats is shown once, and of what is still long, the beginning and the end.
fn shortened<'r>(rows: &'r [Row], style: &Style) -> Vec<Line<'r>> {
    if style.full {
        return rows.iter().map(Line::Row).collect();
    }
    let key = |row: &'r Row| {
        let cells = row.cells.iter().map(|cell| (cell.thread, &cell.text, &cell.mark, &cell.place));
        cells.collect::<Vec<_>>()
    };
    let keys: Vec<_> = rows.iter().map(key).collect();
    let mut lines = Vec::new();
    for Part { start, lines: part, times } in parts(&keys) {
        lines.extend(rows[start..start + part].iter().map(Line::Row));
        if times > 1 {
            let what = if part == 1 { String::new() } else { format!("these {part} steps ") };
            lines.push(Line::Note(format!("{} {what}{} more times", style.dots(), times - 1)));
        }
    }
    if lines.len() > HEAD + TAIL {
        let left_out = lines.len() - HEAD - TAIL;
        let note = format!("{} {left_out} lines left out", style.dots());
        lines.splice(HEAD..HEAD + left_out, [Line::Note(note)]);
    }
    lines
}

struct Layout<'a> {
    /// The process of each thread, and its name.
    threads: &'a [(usize, String)],
    digits: usize,
    style: &'a Style,
}

/// The place of the last cell in some column, to leave out the name of a file that is the same.
#[derive(Default)]
struct Above(Option<String>);

impl Above {
    fn place(&mut self, at: &At) -> String {
        let is_same = self.0.as_ref() == Some(&at.file);
        self.0 = Some(at.file.clone());
        if is_same { format!(":{}", at.line) } else { format!("{}:{}", at.file, at.line) }
    }
}

impl Layout<'_> {
    fn column(&self, cell: &Cell) -> usize {
        let of_thread = |thread| self.threads.iter().position(|(process, _)| *process == thread);
        cell.thread.and_then(of_thread).unwrap_or(0)
    }

    fn number(&self, row: &Row) -> String {
        let digits = self.digits;
        match row.number {
            Some(number) => format!("{number:>digits$}"),
            None => " ".repeat(digits),
        }
    }

    /// The words of a cell, in colour.
    fn painted(&self, cell: &Cell) -> String {
        let text = [cell.text.as_str(), &cell.note];
        let mut painted = text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        if let Some(mark) = &cell.mark {
            if !painted.is_empty() {
                painted.push(' ');
            }
            painted.push_str(&self.style.paint(Ink::Wrong, mark));
        }
        painted
    }

    fn header(&self, widths: &[usize]) -> String {
        let mut line = " ".repeat(self.digits + 1);
        for ((_, name), &width) in self.threads.iter().zip(widths) {
            line.push_str(&self.style.paint(Ink::Strong, name));
            line.push_str(&" ".repeat((width + GAP).saturating_sub(columns(name))));
        }
        format!("{}\n", line.trim_end())
    }

    /// Each column has the places of its thread.
    fn beside(&self, lines: &[Line<'_>]) -> Option<String> {
        let mut words = vec![0; self.threads.len()];
        let mut places = vec![0; self.threads.len()];
        let mut above: Vec<Above> = self.threads.iter().map(|_| Above::default()).collect();
        for cell in cells(lines) {
            let column = self.column(cell);
            let wide = columns(&cell.words());
            // What has no place may reach below the places.
            if let Some(at) = &cell.place {
                words[column] = wide.max(words[column]);
                places[column] = columns(&above[column].place(at)).max(places[column]);
            }
        }
        let mut widths: Vec<usize> = words
            .iter()
            .zip(&places)
            .map(|(&words, &places)| words + if places > 0 { 2 + places } else { 0 })
            .collect();
        for cell in cells(lines).filter(|cell| cell.place.is_none()) {
            let column = self.column(cell);
            widths[column] = widths[column].max(columns(&cell.words()));
        }
        for ((_, name), width) in self.threads.iter().zip(&mut widths) {
            *width = (*width).max(columns(name));
        }
        if self.digits + 1 + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
            > self.style.width
        {
            return None;
        }
        let mut above: Vec<Above> = self.threads.iter().map(|_| Above::default()).collect();
        let mut text = self.header(&widths);
        for line in lines {
            let row = match line {
                Line::Row(row) => row,
                Line::Note(note) => {
                    text.push_str(&format!("{} {note}\n", " ".repeat(self.digits)));
                    continue;
                }
            };
            let mut out = format!("{} ", self.number(row));
            for (column, &width) in widths.iter().enumerate() {
                let Some(cell) = row.cells.iter().find(|cell| self.column(cell) == column) else {
                    out.push_str(&" ".repeat(width + GAP));
                    continue;
                };
                out.push_str(&self.painted(cell));
                let mut used = columns(&cell.words());
                if let Some(at) = &cell.place {
                    let place = above[column].place(at);
                    let gap = (words[column] + 2).saturating_sub(used);
                    out.push_str(&" ".repeat(gap));
                    out.push_str(&self.style.paint(Ink::Faint, &place));
                    used += gap + columns(&place);
                }
                out.push_str(&" ".repeat((width + GAP).saturating_sub(used)));
            }
            text.push_str(out.trim_end());
            text.push('\n');
            self.add_sources(row, &widths, &mut text);
        }
        Some(text)
    }

    /// The places have a column of their own, the last one. The words of wide columns are folded.
    fn apart(&self, lines: &[Line<'_>]) -> Option<String> {
        let mut widths: Vec<usize> = self.threads.iter().map(|(_, name)| columns(name)).collect();
        for cell in cells(lines) {
            let column = self.column(cell);
            widths[column] = widths[column].max(columns(&cell.words()));
        }
        let mut above = Above::default();
        let longest =
            cells(lines).filter_map(|cell| cell.place.as_ref()).map(|at| columns(&above.place(at))).max();
        let least = longest.unwrap_or(0).min(SHORTEST_PLACE);
        let room = |widths: &[usize]| {
            let used = self.digits + 1 + widths.iter().map(|width| width + GAP).sum::<usize>();
            self.style.width.checked_sub(used).filter(|&room| room >= least)
        };
        let widest = widths.iter().copied().max().unwrap_or(0);
        let cut = |most: usize| widths.iter().map(|&width| width.min(most)).collect::<Vec<_>>();
        let widths =
            (NARROWEST_COLUMN.min(widest)..=widest).rev().map(cut).find(|widths| room(widths).is_some())?;
        let room = room(&widths)?;
        let mut above = Above::default();
        let mut text = self.header(&widths);
        for line in lines {
            let row = match line {
                Line::Row(row) => row,
                Line::Note(note) => {
                    text.push_str(&format!("{} {note}\n", " ".repeat(self.digits)));
                    continue;
                }
            };
            // The lines of each column.
            let mut folded: Vec<Vec<String>> = vec![Vec::new(); widths.len()];
            for cell in &row.cells {
                let column = self.column(cell);
                folded[column] = self.folded(cell, widths[column]);
            }
            let height = folded.iter().map(Vec::len).max().unwrap_or(0);
            for n in 0..height {
                let mut out = if n == 0 { self.number(row) } else { " ".repeat(self.digits) };
                out.push(' ');
                for (lines, &width) in folded.iter().zip(&widths) {
                    let part = lines.get(n).map_or("", String::as_str);
                    out.push_str(part);
                    out.push_str(&" ".repeat((width + GAP).saturating_sub(columns(&bare(part)))));
                }
                if let Some(at) = row.cells.iter().find_map(|cell| cell.place.as_ref()).filter(|_| n == 0) {
                    let place = end_of(&above.place(at), room, self.style.dots());
                    out.push_str(&self.style.paint(Ink::Faint, &place));
                }
                text.push_str(out.trim_end());
                text.push('\n');
            }
            self.add_sources(row, &widths, &mut text);
        }
        Some(text)
    }

    /// The words of a cell in lines of this width; what is wrong begins a new line if there is more than one.
    fn folded(&self, cell: &Cell, width: usize) -> Vec<String> {
        if columns(&cell.words()) <= width {
            return vec![self.painted(cell)];
        }
        let text = [cell.text.as_str(), &cell.note];
        let text = text.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let mut lines = if text.is_empty() { Vec::new() } else { fold(&text, width) };
        let mark = cell.mark.iter().flat_map(|mark| fold(mark, width));
        lines.extend(mark.map(|line| self.style.paint(Ink::Wrong, &line)));
        lines
    }

    /// The lines of the source, each below the column of its thread.
    fn add_sources(&self, row: &Row, widths: &[usize], text: &mut String) {
        for cell in &row.cells {
            let Some(source) = cell.place.as_ref().and_then(|at| at.source.as_ref()) else { continue };
            let before = widths[..self.column(cell)].iter().map(|width| width + GAP).sum::<usize>();
            self.add_source(source, self.digits + 1 + before, text);
        }
    }

    fn add_source(&self, source: &str, indent: usize, text: &mut String) {
        let source = self.style.plain(source);
        let room = self.style.width.saturating_sub(indent + 2).max(NARROWEST);
        let cut = start_of(&source, room, self.style.dots());
        text.push_str(&format!("{:indent$}{}\n", "", self.style.paint(Ink::Faint, &format!("| {cut}"))));
    }

    /// One cell after the other, each with the name of its thread; places are in the line if there is room, else below.
    fn stacked(&self, lines: &[Line<'_>]) -> String {
        let width = self.style.width.max(NARROWEST);
        let indent = self.digits + 1;
        let room = width - indent.min(width - 1);
        let name_of = |cell: &Cell| cell.thread.map_or("", |_| self.threads[self.column(cell)].1.as_str());
        let names = cells(lines).map(|cell| columns(name_of(cell))).max().unwrap_or(0);
        let names = if names * 3 > room { 0 } else { names };
        let mut above = Above::default();
        let mut text = String::new();
        for line in lines {
            let row = match line {
                Line::Row(row) => row,
                Line::Note(note) => {
                    text.push_str(&format!("{:indent$}{note}\n", ""));
                    continue;
                }
            };
            for (n, cell) in row.cells.iter().enumerate() {
                let name = padded(&end_of(name_of(cell), room, self.style.dots()), names);
                let head = if n == 0 { self.number(row) } else { " ".repeat(self.digits) };
                let inside = indent + if names > 0 { names + 1 } else { 2 };
                let mut folded = fold(&cell.words(), width.saturating_sub(inside).max(1));
                let place = cell.place.as_ref().map(|at| above.place(at));
                let last = folded.last().map_or(0, |line| columns(line));
                let mut below = None;
                if let Some(place) = place {
                    match inside + last + 2 + columns(&place) <= width {
                        true => {
                            if let Some(line) = folded.last_mut() {
                                line.push_str("  ");
                                line.push_str(&place);
                            }
                        }
                        false => {
                            below = Some(end_of(&place, width.saturating_sub(inside), self.style.dots()))
                        }
                    }
                }
                let mut first = format!("{head} {}", self.style.paint(Ink::Strong, &name));
                if names == 0 {
                    text.push_str(first.trim_end());
                    text.push('\n');
                    first = " ".repeat(inside);
                } else {
                    first.push(' ');
                }
                for (n, line) in folded.iter().enumerate() {
                    let start = if n == 0 { first.clone() } else { " ".repeat(inside) };
                    let ink = if cell.mark.is_some() { Ink::Wrong } else { Ink::Plain };
                    text.push_str(format!("{start}{}", self.style.paint(ink, line)).trim_end());
                    text.push('\n');
                }
                if let Some(place) = below {
                    text.push_str(&format!("{:inside$}{}\n", "", self.style.paint(Ink::Faint, &place)));
                }
                if let Some(source) = cell.place.as_ref().and_then(|at| at.source.as_ref()) {
                    self.add_source(source, inside, &mut text);
                }
            }
        }
        text
    }
}

/// A text without its colours.
fn bare(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |bare, part| bare + part.split_once('m').map_or("", |(_, rest)| rest))
}

fn cells<'l>(lines: &'l [Line<'_>]) -> impl Iterator<Item = &'l Cell> {
    lines.iter().flat_map(|line| match line {
        Line::Row(row) => row.cells.as_slice(),
        Line::Note(_) => &[],
    })
}

/// The words of a text in lines of this width; words that are longer are broken.
pub(super) fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut rest = word;
        loop {
            let wide = columns(rest);
            let gap = usize::from(used > 0);
            if used + gap + wide <= width {
                let line = lines.last_mut().expect("there is always one");
                line.push_str(if gap == 1 { " " } else { "" });
                line.push_str(rest);
                used += gap + wide;
                break;
            }
            if used > 0 {
                lines.push(String::new());
                used = 0;
                continue;
            }
            // A word that no line has room for.
            let mut fits = 0;
            let end = rest.char_indices().find(|(at, c)| {
                fits += columns(&c.to_string());
                fits > width && *at > 0
            });
            let Some((end, _)) = end else {
                lines.last_mut().expect("there is always one").push_str(rest);
                used = width;
                break;
            };
            lines.last_mut().expect("there is always one").push_str(&rest[..end]);
            lines.push(String::new());
            rest = &rest[end..];
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_broken() {
        assert_eq!(fold("lock a held by t", 8), ["lock a", "held by", "t"]);
        assert_eq!(fold("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(fold("", 4), [""]);
        assert!(fold(&"🦀".repeat(9), 5).iter().all(|line| columns(line) <= 5));
    }
}
