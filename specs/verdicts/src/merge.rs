//! Merges the parts of a campaign.

use crate::campaign::Campaign;
use crate::mutant::Status;

/// Parts that do not belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError {
    /// The part that does not match the first.
    pub part: usize,
    /// Why, to complete "the two parts".
    pub reason: String,
}

impl Campaign {
    /// The campaign that has been run in parts: the same as if all had been run at once.
    ///
    /// # Errors
    /// If they are not parts of one campaign. At least one part is needed.
    pub fn merge(parts: &[Campaign], families: &[&str]) -> Result<Campaign, MergeError> {
        let wrong = |part: usize, reason: &str| MergeError { part, reason: reason.to_owned() };
        let Some((first, others)) = parts.split_first() else { return Err(wrong(0, "are no parts")) };
        let mut whole = first.clone();
        for (part, other) in (1..).zip(others) {
            if other.package != whole.package {
                return Err(wrong(part, "are of different packages"));
            }
            let same_mutants =
                other.details.iter().map(|it| &it.id).eq(whole.details.iter().map(|it| &it.id));
            if other.sources != whole.sources || !same_mutants || other.builds != whole.builds {
                return Err(wrong(
                    part,
                    "have different mutants: the source or the options are not the same",
                ));
            }
            if other.tests != whole.tests || other.programs != whole.programs {
                return Err(wrong(
                    part,
                    "have different tests: the programs or their inputs are not the same",
                ));
            }
            for (mine, theirs) in whole.details.iter_mut().zip(&other.details) {
                match (mine.status, theirs.status) {
                    (_, Status::Pending) => {}
                    (Status::Pending, _) => mine.clone_from(theirs),
                    _ if mine == theirs => {}
                    _ => return Err(wrong(part, &format!("contradict each other about mutant {}", mine.id))),
                }
            }
        }
        whole.tally(families);
        Ok(whole)
    }
}
