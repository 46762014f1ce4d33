//! Annotations for GitHub Actions: a warning at the line of each survivor, a notice at each undecided mutant.

use std::fmt::Write as _;

use insyn_verdicts::{Campaign, Status};

use crate::escape::{cut, lines, message, property, terminal};
use crate::share;

/// The approximate length to which GitHub cuts a message.
const LONGEST: usize = 4000;

/// The workflow commands, one per line. `directory` is the path from the repository to the package, with `/` between its parts and empty if
/// they are the same: GitHub knows files by their paths in the repository.
///
/// ```
/// use insyn_verdicts::Status;
/// use insyn_verdicts::campaign::{Campaign, Mutant};
///
/// let mutant = Mutant {
///     id: "GBS-5c0d93f1".into(),
///     file: "src/buffer.rs".into(),
///     start: (12, 17),
///     end: (12, 18),
///     description: "replaced by `<=`".into(),
///     status: Status::Survived,
///     ..Mutant::default()
/// };
/// assert_eq!(
///     insyn_reports::github::render(&Campaign { details: vec![mutant], ..Campaign::default() }, "crates/bank"),
///     "::warning file=crates/bank/src/buffer.rs,line=12,col=17,endLine=12,endColumn=18,\
///      title=Mutant survived%3A GBS-5c0d93f1::replaced by `<=`%0Ano test kills it\n"
/// );
/// ```
pub fn render(campaign: &Campaign, directory: &str) -> String {
    let mut text = String::new();
    for mutant in &campaign.details {
        let (command, word) = match mutant.status {
            Status::Survived => ("warning", "survived"),
            Status::Undecided => ("notice", "undecided"),
            _ => continue,
        };
        let title = property(&terminal(&format!("Mutant {word}: {}", mutant.id)));
        let explanation =
            [mutant.description.clone(), share::reason(campaign, mutant)].map(|it| lines(&it)).join("\n");
        writeln!(
            text,
            "::{command} file={},line={},col={},endLine={},endColumn={},title={title}::{}",
            property(&terminal(&in_repository(directory, &mutant.file))),
            mutant.start.0,
            mutant.start.1,
            mutant.end.0,
            mutant.end.1,
            message(&cut(&explanation, LONGEST)),
        )
        .expect("a string takes any text");
    }
    text
}

fn in_repository(directory: &str, file: &str) -> String {
    match directory.trim_end_matches('/') {
        "" => file.to_owned(),
        directory => format!("{directory}/{file}"),
    }
}
