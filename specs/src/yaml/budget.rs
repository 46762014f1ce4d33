//! A bound on what a file may expand to. A YAML alias repeats a part of the document, so a short text can stand for
//! a document that does not fit into memory. [`check`] walks through the document once without storing it, and gives up as
//! soon as the document is larger than the text could be without aliases.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::YamlError;

/// The budget for each byte of text. Without aliases a value costs at most a few times its length.
const FACTOR: usize = 4;

/// The budget for any text.
const FREE: usize = 64;

/// Checks that a document is not much larger than its text.
pub(super) fn check<'de, D>(text: &str, document: D) -> Result<(), YamlError>
where
    D: Deserializer<'de>,
    YamlError: From<D::Error>,
{
    let left = Cell::new(text.len().saturating_mul(FACTOR).saturating_add(FREE));
    let spent = Cell::new(false);
    let walked = Walk { left: &left, spent: &spent }.deserialize(document);
    walked.map_err(|error| match YamlError::from(error) {
        YamlError::Syntax { position, .. } if spent.get() => YamlError::TooManyAliases { position },
        error => error,
    })
}

#[derive(Clone, Copy)]
struct Walk<'b> {
    left: &'b Cell<usize>,
    spent: &'b Cell<bool>,
}

impl Walk<'_> {
    fn spend<E: Error>(self, length: usize) -> Result<(), E> {
        match self.left.get().checked_sub(length.saturating_add(1)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.spent.set(true);
                Err(E::custom("too large"))
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    /// An empty text.
    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.spend(0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.spend(text.len())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<(), S::Error> {
        self.spend(0)?;
        while list.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        self.spend(0)?;
        while map.next_entry_seed(self, self)?.is_some() {}
        Ok(())
    }

    /// A value with a tag.
    fn visit_enum<T: EnumAccess<'de>>(self, tagged: T) -> Result<(), T::Error> {
        let ((), value) = tagged.variant_seed(self)?;
        value.newtype_variant_seed(self)
    }
}
