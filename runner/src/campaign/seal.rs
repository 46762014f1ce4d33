//! Values in files, each with a checksum: a damaged value is detected, and never mistaken for another.
//!
//! ```text
//! {"checksum":"8c3f…","content":{…}}
//! ```
//!
//! The checksum covers the text of the content and the key of what the value belongs to: a value of another campaign is
//! rejected like one with a flipped bit.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::hash;

const BEFORE: &str = "{\"checksum\":\"";
const BETWEEN: &str = "\",\"content\":";
const AFTER: &str = "}";

/// A value as a line, without the line end.
pub(crate) fn seal(belongs_to: &str, value: &impl Serialize) -> serde_json::Result<String> {
    let content = serde_json::to_string(value)?;
    Ok(format!("{BEFORE}{}{BETWEEN}{content}{AFTER}", checksum(belongs_to, &content)))
}

/// The value in a line; none if the line is damaged, or belongs to something else.
pub(crate) fn open<T: DeserializeOwned>(belongs_to: &str, line: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(line).ok()?;
    let (sum, content) = text.strip_prefix(BEFORE)?.strip_suffix(AFTER)?.split_once(BETWEEN)?;
    if sum != checksum(belongs_to, content) {
        return None;
    }
    serde_json::from_str(content).ok()
}

/// Whether a line looks as if it had been sealed.
pub(crate) fn is_like_one(line: &[u8]) -> bool {
    line.starts_with(BEFORE.as_bytes()) || line.ends_with(AFTER.as_bytes())
}

fn checksum(belongs_to: &str, content: &str) -> String {
    hash([belongs_to.as_bytes(), content.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_cannot_be_opened() {
        let line = seal("a campaign", &(12, "GBS-1", [true])).expect("it can be written");
        let open = |to: &str, line: &[u8]| open::<(u32, String, [bool; 1])>(to, line);
        assert_eq!(open("a campaign", line.as_bytes()), Some((12, "GBS-1".to_owned(), [true])));
        assert_eq!(open("another", line.as_bytes()), None);
        for bit in 0..line.len() * 8 {
            let mut damaged = line.clone().into_bytes();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open("a campaign", &damaged), None, "bit {bit}");
            assert!(is_like_one(&damaged));
        }
        for length in 0..line.len() {
            assert_eq!(open("a campaign", &line.as_bytes()[..length]), None, "{length} bytes");
        }
    }
}
