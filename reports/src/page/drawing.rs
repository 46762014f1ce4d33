//! A diagram as a part of a page: texts that stay where they are while the lanes are scrolled. The script of the report of a
//! mutation run draws the same.

use std::fmt::{self, Write as _};

use insyn_sequences::Kind;

use crate::diagram::Diagram;
use crate::escape::{cut, markup};

const ROW: usize = 24;
/// Names of lanes are cut to this.
const LONGEST_NAME: usize = 16;
/// Descriptions of events are cut to this.
const LONGEST_WORDS: usize = 300;
/// Width of a character, roughly.
const CHARACTER: usize = 8;
/// Lanes come closer together until all of them have this much room, or until they would be closer than that.
const ROOM: usize = 620;
const CLOSEST: usize = 24;

/// Draws a diagram. `n` is its number on the page.
pub(super) fn render(diagram: &Diagram, title: &str, n: usize) -> String {
    let longest =
        diagram.lanes.iter().map(|lane| lane.name.chars().count()).max().unwrap_or(0).min(LONGEST_NAME);
    let wanted = (longest * CHARACTER + 14).max(48);
    let step = (ROOM / diagram.lanes.len().max(1)).clamp(CLOSEST, wanted.max(CLOSEST));
    // Names that would overlap are slanted.
    let slanted = step < wanted;
    let head = if slanted { longest * CHARACTER * 65 / 100 + 22 } else { 32 };
    let width = diagram.lanes.len() * step + if slanted { longest * CHARACTER * 3 / 4 } else { 0 } + 16;
    let height = diagram.rows.len() * ROW;
    let x = |lane: usize| step / 2 + 4 + lane * step;
    let y = |row: usize| ROW / 2 + row * ROW;
    let mut html = String::new();
    let mut put = |line: fmt::Arguments<'_>| writeln!(html, "{line}").expect("a string takes any text");
    let title = markup(title);
    put(format_args!(
        "<figure><div class=\"diagram\" tabindex=\"0\" role=\"group\" aria-label=\"{title}\"><div class=\"std-corner\"></div>"
    ));
    put(format_args!(
        "<svg class=\"std-names\" aria-hidden=\"true\" preserveAspectRatio=\"xMinYMin\" viewBox=\"0 0 {width} {head}\" width=\"{width}\" height=\"{head}\">"
    ));
    for (n, lane) in diagram.lanes.iter().enumerate() {
        let (x, y) = (x(n), head - 10);
        let class = if lane.kind == Kind::Thread { "" } else { " class=\"std-object\"" };
        let how = match slanted {
            true => format!("text-anchor=\"start\" transform=\"rotate(-40 {x} {y})\""),
            false => "text-anchor=\"middle\"".to_owned(),
        };
        let all = markup(&format!("{} ({})", lane.name, lane.id));
        let name = markup(&cut(&lane.name, LONGEST_NAME));
        put(format_args!("<text{class} x=\"{x}\" y=\"{y}\" {how}><title>{all}</title>{name}</text>"));
    }
    put(format_args!("</svg>\n<div class=\"std-texts\">"));
    for (n, row) in diagram.rows.iter().enumerate() {
        let by: Vec<&str> = row.by.iter().map(|&lane| diagram.lanes[lane].name.as_str()).collect();
        let words = format!("{}: {}", by.join(" → "), row.words());
        let class = if row.blocked || row.differs { "std-text std-differs" } else { "std-text" };
        put(format_args!(
            "<div class=\"{class}\" title=\"{}\"><span class=\"std-number\">{}</span><span class=\"std-words\">{}</span>\
             <span class=\"std-place\">{}</span></div>",
            markup(&cut(&words, LONGEST_WORDS)),
            n + 1,
            markup(&cut(&row.words(), LONGEST_WORDS)),
            markup(&row.place)
        ));
    }
    put(format_args!(
        "</div>\n<svg class=\"std\" role=\"img\" aria-label=\"{title}: {} events\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<defs><marker id=\"head-{n}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"std-point\" d=\"M0 0.8L7.4 4L0 7.2z\"/></marker></defs>",
        diagram.rows.len()
    ));
    for (n, lane) in diagram.lanes.iter().enumerate() {
        let class = if lane.kind == Kind::Thread { "std-thread" } else { "std-object" };
        let x = x(n);
        put(format_args!("<g class=\"{class}\"><line x1=\"{x}\" y1=\"0\" x2=\"{x}\" y2=\"{height}\"/></g>"));
    }
    for (at, row) in diagram.rows.iter().enumerate() {
        let y_here = y(at);
        if row.blocked || row.differs {
            let top = y_here - ROW / 2;
            put(format_args!(
                "<rect class=\"std-band\" x=\"0\" y=\"{top}\" width=\"{width}\" height=\"{ROW}\"/>"
            ));
        }
        let here = diagram.lane(at);
        let earlier =
            row.from.iter().map(|it| (it, "std-pair")).chain(row.after.iter().map(|it| (it, "std-after")));
        for (&other, class) in earlier {
            if let (Some(from), Some(to)) = (diagram.lane(other), here) {
                arrow(&mut put, class, n, (x(from), y(other)), (x(to), y_here));
            }
        }
        match (row.by.as_slice(), row.on) {
            ([by], Some(on)) => arrow(&mut put, "std-call", n, (x(*by), y_here), (x(on), y_here)),
            ([first, .., last], _) => arrow(&mut put, "std-pair", n, (x(*first), y_here), (x(*last), y_here)),
            _ => {}
        }
        if let Some(on) = row.on {
            put(format_args!("<circle class=\"std-completion\" cx=\"{}\" cy=\"{y_here}\" r=\"4\"/>", x(on)));
        }
        for &by in &row.by {
            let class = if row.blocked { "std-event std-blocked" } else { "std-event" };
            put(format_args!("<circle class=\"{class}\" cx=\"{}\" cy=\"{y_here}\" r=\"4.5\"/>", x(by)));
        }
    }
    put(format_args!("</svg></div></figure>"));
    html
}

fn arrow(
    put: &mut impl FnMut(fmt::Arguments<'_>),
    class: &str,
    n: usize,
    from: (usize, usize),
    to: (usize, usize),
) {
    // The head ends at the edge of the mark.
    const RADIUS: f64 = 5.5;
    if from.0 == to.0 {
        return;
    }
    let (dx, dy) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let length = dx.hypot(dy);
    let (x2, y2) = (to.0 as f64 - dx / length * RADIUS, to.1 as f64 - dy / length * RADIUS);
    put(format_args!(
        "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" marker-end=\"url(#head-{n})\"/>",
        from.0, from.1
    ));
}
