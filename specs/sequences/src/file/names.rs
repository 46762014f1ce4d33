//! The names of processes and events in a sequence file, and the indices they stand for.

use super::scalar::OneOrMany;
use super::{DocumentError, DocumentErrorKind};
use crate::sequence::EventRef;

/// The ids of all processes, sorted, with the number of their events.
pub(super) struct Names<'a>(Vec<(&'a str, usize)>);

impl<'a> Names<'a> {
    pub(super) fn new(sorted: impl Iterator<Item = (&'a str, usize)>) -> Names<'a> {
        Names(sorted.collect())
    }

    pub(super) fn process(&self, id: &str, place: &str) -> Result<usize, DocumentError> {
        self.0.binary_search_by_key(&id, |(id, _)| id).map_err(|_| {
            DocumentErrorKind::UnknownProcess { place: place.to_owned(), id: id.to_owned() }.into()
        })
    }

    pub(super) fn processes(&self, ids: &OneOrMany, place: &str) -> Result<Vec<usize>, DocumentError> {
        ids.as_slice().iter().map(|id| self.process(id, place)).collect()
    }

    pub(super) fn references(&self, names: &OneOrMany, place: &str) -> Result<Vec<EventRef>, DocumentError> {
        names.as_slice().iter().map(|name| self.reference(name, place)).collect()
    }

    pub(super) fn reference(&self, name: &str, place: &str) -> Result<EventRef, DocumentError> {
        let bad = || DocumentErrorKind::BadReference { place: place.to_owned(), text: name.to_owned() };
        let (id, index) = name.rsplit_once('#').ok_or_else(bad)?;
        if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad().into());
        }
        let process = self.process(id, place)?;
        let events = self.0[process].1;
        match index.parse() {
            Ok(index) if index < events => Ok(EventRef { process, index }),
            _ => {
                Err(DocumentErrorKind::Dangling { place: place.to_owned(), name: name.to_owned(), events }
                    .into())
            }
        }
    }
}
