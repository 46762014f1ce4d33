//! Writes every report of the campaigns that the tests use into a directory, to be read and opened in a browser:
//! `cargo run -p insyn-reports --example reports -- DIR`.

use std::path::PathBuf;
use std::{fs, io};

use insyn_reports::{Diagram, diagram, document, github, html, junit, markdown, page, stryker, text};
use insyn_specs::file;
use insyn_verdicts::Campaign;

#[path = "../tests/common/mod.rs"]
mod common;

fn main() -> io::Result<()> {
    let directory = PathBuf::from(std::env::args_os().nth(1).expect("the directory to write to"));
    let campaigns = [
        ("example", common::example()),
        ("empty", common::empty()),
        ("hostile", common::hostile()),
        ("large", common::large(1000, 20_000)),
        ("wide", common::large(2500, 500)),
    ];
    for (name, campaign) in &campaigns {
        let place = directory.join(name);
        fs::create_dir_all(&place)?;
        for (file, text) in reports(campaign) {
            fs::write(place.join(file), text)?;
        }
    }
    let (file, steps) = common::execution(&["deposit", "deposit", "withdraw", "withdraw"]);
    let sequence = file::read(&file).expect("it was just written").sequence;
    let mut layout = Diagram::of(&sequence).expect("it is a sequence");
    layout.mark(&sequence, &steps[1]);
    fs::write(directory.join("page.html"), page::render(&common::page()))?;
    fs::write(directory.join("hostile.html"), page::render(&common::hostile_page()))?;
    fs::write(directory.join("sequence.yaml"), &file)?;
    fs::write(directory.join("sequence.svg"), diagram::svg::render(&layout, "A bounded buffer"))?;
    fs::write(directory.join("sequence.txt"), diagram::text::render(&layout, text::Style::default()))
}

fn reports(campaign: &Campaign) -> [(&'static str, String); 7] {
    [
        ("campaign.json", document::write(campaign)),
        ("report.html", html::render(campaign)),
        ("stryker.json", stryker::render(campaign)),
        ("junit.xml", junit::render(campaign)),
        ("summary.md", markdown::render(campaign)),
        ("annotations.txt", github::render(campaign, "")),
        ("summary.txt", text::render(campaign, text::Style::default())),
    ]
}
