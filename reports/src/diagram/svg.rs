//! The diagram as a self-contained SVG: no script, no font, no other file. It follows the light or dark mode of its viewer.

use std::fmt::{self, Write as _};

use super::Diagram;
use super::races::words;
use crate::escape::{cut, markup};

const STYLE: &str = include_str!("diagram.css");

/// Height of a row.
const ROW: usize = 24;
/// Height of the area above the first row.
const HEAD: usize = 48;
/// Position of the first lane.
const LEFT: usize = 56;
/// Width of a character, roughly.
const CHARACTER: usize = 7;
/// Names of lanes are cut to this.
const LONGEST_NAME: usize = 16;
/// Descriptions of events are cut to this.
const LONGEST_WORDS: usize = 90;

/// Draws a diagram under a title.
pub fn render(diagram: &Diagram, title: &str) -> String {
    let step = lane_step(diagram);
    let x = |lane: usize| LEFT + lane * step;
    let y = |row: usize| HEAD + row * ROW;
    let words: Vec<String> = diagram.rows.iter().map(|row| cut(&row.words(), LONGEST_WORDS)).collect();
    let text_x = x(diagram.lanes.len());
    let widest = words.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let (width, height) = (text_x + widest * CHARACTER + 16, y(diagram.rows.len()) + 8);
    let mut svg = String::new();
    let mut put = |line: fmt::Arguments<'_>| writeln!(svg, "{line}").expect("a string takes any text");
    put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"std\" role=\"img\" aria-labelledby=\"std-title\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">"
    ));
    put(format_args!("<title id=\"std-title\">{}</title>", markup(title)));
    put(format_args!("<style>\n{STYLE}</style>"));
    put(format_args!("<rect class=\"std-ground\" width=\"{width}\" height=\"{height}\"/>"));
    put(format_args!(
        "<defs><marker id=\"std-head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path class=\"std-point\" d=\"M0 0.8L7.4 4L0 7.2z\"/></marker></defs>"
    ));
    for (n, lane) in diagram.lanes.iter().enumerate() {
        let class = if lane.kind == insyn_sequences::Kind::Thread { "std-thread" } else { "std-object" };
        let (x, end) = (x(n), height - 8);
        let all = markup(&format!("{} ({} {})", lane.name, lane.kind.word(), lane.id));
        let name = markup(&cut(&lane.name, LONGEST_NAME));
        put(format_args!(
            "<g class=\"{class}\"><title>{all}</title><text x=\"{x}\" y=\"20\" text-anchor=\"middle\">{name}</text>\
             <line x1=\"{x}\" y1=\"30\" x2=\"{x}\" y2=\"{end}\"/></g>"
        ));
    }
    for (n, row) in diagram.rows.iter().enumerate() {
        let class = if row.differs { " class=\"std-differs\"" } else { "" };
        put(format_args!("<g{class}><title>{}</title>", markup(&hover(diagram, n))));
        if row.differs {
            put(format_args!(
                "<rect class=\"std-band\" x=\"0\" y=\"{}\" width=\"{width}\" height=\"{ROW}\"/>",
                y(n) - ROW / 2
            ));
        }
        let here = diagram.lane(n);
        for (earlier, class) in
            row.from.iter().map(|it| (it, "std-pair")).chain(row.after.iter().map(|it| (it, "std-after")))
        {
            if let (Some(from), Some(to)) = (diagram.lane(*earlier), here) {
                arrow(&mut put, class, (x(from), y(*earlier)), (x(to), y(n)));
            }
        }
        match (row.by.as_slice(), row.on) {
            ([by], Some(on)) => arrow(&mut put, "std-call", (x(*by), y(n)), (x(on), y(n))),
            ([first, .., last], _) => arrow(&mut put, "std-pair", (x(*first), y(n)), (x(*last), y(n))),
            _ => {}
        }
        if let Some(on) = row.on {
            put(format_args!("<circle class=\"std-completion\" cx=\"{}\" cy=\"{}\" r=\"4\"/>", x(on), y(n)));
        }
        for &by in &row.by {
            let class = if row.blocked { "std-event std-blocked" } else { "std-event" };
            put(format_args!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", x(by), y(n)));
        }
        put(format_args!(
            "<text class=\"std-number\" x=\"20\" y=\"{}\" text-anchor=\"end\">{}</text>",
            y(n) + 4,
            n + 1
        ));
        put(format_args!("<text x=\"{text_x}\" y=\"{}\">{}</text></g>", y(n) + 4, markup(&words[n])));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The distance between lanes: as much as their names need.
fn lane_step(diagram: &Diagram) -> usize {
    let longest = diagram.lanes.iter().map(|lane| lane.name.chars().count()).max().unwrap_or(0);
    (longest.min(LONGEST_NAME) * CHARACTER + 16).max(56)
}

fn arrow(put: &mut impl FnMut(fmt::Arguments<'_>), class: &str, from: (usize, usize), to: (usize, usize)) {
    // The head ends at the edge of the mark.
    const RADIUS: f64 = 5.5;
    if from.0 == to.0 {
        return;
    }
    let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let length = dx.hypot(dy);
    let (x2, y2) = (to.0 as f64 - dx / length * RADIUS, to.1 as f64 - dy / length * RADIUS);
    put(format_args!(
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" marker-end=\"url(#std-head)\"/>",
        from.0, from.1
    ));
}

/// Everything that is known about a row.
fn hover(diagram: &Diagram, at: usize) -> String {
    let row = &diagram.rows[at];
    let by: Vec<&str> = row.by.iter().map(|&lane| diagram.lanes[lane].name.as_str()).collect();
    let mut text = format!("{} {}: {}", at + 1, by.join(", "), row.words());
    let mut add = |words: &str, rest: &str| {
        if !rest.is_empty() {
            write!(text, "{words}{rest}").expect("a string takes any text");
        }
    };
    add("\nat ", &row.place);
    let races: Vec<String> = row.races.iter().map(|instead| words(instead)).collect();
    add("\ncould have taken instead: ", &races.join(", "));
    add("\n", if row.differs { "here it differs" } else { "" });
    text
}
