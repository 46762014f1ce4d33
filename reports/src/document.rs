//! The campaign as a JSON document: `campaign.json` in a results directory. Its schema is `schema/campaign.schema.json`.

use serde_json::Value as Data;
use thiserror::Error;

use insyn_verdicts::campaign::{Campaign, VERSION};

/// The JSON Schema of the document.
pub const SCHEMA: &str = include_str!("../schema/campaign.schema.json");

/// Why a text is not the document of a campaign, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct DocumentError {
    /// What is wrong with it.
    pub kind: DocumentErrorKind,
}

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DocumentErrorKind {
    /// It is empty.
    #[error("it is empty; run the campaign again")]
    Empty,
    /// It ends too early.
    #[error("it is cut off at line {line}, column {column}; run the campaign again")]
    Partial {
        /// The line, from 1.
        line: usize,
        /// The column.
        column: usize,
    },
    /// It is not JSON, or does not have the shape of a campaign.
    #[error(
        "line {line}, column {column}: {message}; this is not the document of a campaign, or it is damaged"
    )]
    Shape {
        /// The line, from 1.
        line: usize,
        /// The column.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// It was written by another version.
    #[error(
        "it has {}, but only version {VERSION} is supported; run the campaign again with this release",
        found.as_ref().map_or_else(|| "no version".to_owned(), |it| format!("version {it}"))
    )]
    Version {
        /// The value of its field `version`.
        found: Option<String>,
    },
    /// A number in it is out of range.
    #[error("{place} names {what} {number}, but there are {count} (counted from 0); it is damaged")]
    Dangling {
        /// Where.
        place: String,
        /// What is named.
        what: &'static str,
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

impl From<DocumentErrorKind> for DocumentError {
    fn from(kind: DocumentErrorKind) -> Self {
        DocumentError { kind }
    }
}

/// Reads the text of a document.
///
/// # Errors
/// See [`DocumentErrorKind`].
pub fn read(text: &str) -> Result<Campaign, DocumentError> {
    if text.trim().is_empty() {
        return Err(DocumentErrorKind::Empty.into());
    }
    match serde_json::from_str::<Campaign>(text) {
        Ok(campaign) if campaign.version == VERSION => check(&campaign).map(|()| campaign),
        Ok(campaign) => Err(DocumentErrorKind::Version { found: Some(campaign.version.to_string()) }.into()),
        Err(error) => Err(explain(text, &error).into()),
    }
}

/// Writes the document, always the same bytes for the same campaign.
pub fn write(campaign: &Campaign) -> String {
    let text = serde_json::to_string_pretty(campaign);
    text.expect("a campaign has no keys but texts, and no number that JSON does not have") + "\n"
}

/// A document of another version does not match: report that, instead of one of its fields.
fn explain(text: &str, error: &serde_json::Error) -> DocumentErrorKind {
    let (line, column) = (error.line(), error.column());
    if error.is_eof() {
        return DocumentErrorKind::Partial { line, column };
    }
    if let Ok(Data::Object(fields)) = serde_json::from_str(text) {
        match fields.get("version") {
            Some(version) if version.as_u64() == Some(u64::from(VERSION)) => {}
            found => return DocumentErrorKind::Version { found: found.map(Data::to_string) },
        }
    }
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    DocumentErrorKind::Shape { line, column, message: message[..end].to_owned() }
}

/// Every index into a list must be in range.
fn check(campaign: &Campaign) -> Result<(), DocumentError> {
    let there = |place: &dyn Fn() -> String, what, number, count| match number < count {
        true => Ok(()),
        false => Err(DocumentErrorKind::Dangling { place: place(), what, number, count }),
    };
    let (programs, tests) = (campaign.programs.len(), campaign.tests.len());
    for (n, test) in campaign.tests.iter().enumerate() {
        there(&|| format!("test {n}"), "program", test.program, programs)?;
        if let Some(variant) = &test.variant {
            // A variant comes after the test that it is a variant of, so that the variants are a tree.
            there(&|| format!("test {n}"), "test", variant.of, n)?;
        }
    }
    for mutant in &campaign.details {
        let place = || format!("mutant {}", mutant.id);
        for kill in &mutant.kills {
            there(&place, "test", kill.test, tests)?;
        }
        for rejection in &mutant.rejections {
            there(&place, "program", rejection.program, programs)?;
        }
        if let Some(distinguishing) = &mutant.distinguishing {
            there(&place, "program", distinguishing.program, programs)?;
        }
    }
    Ok(())
}
