//! Values that are kept once and named by small numbers. A graph of a million states has few distinct labels.

use std::hash::{Hash, Hasher};

/// Texts, one after the other in one string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(crate) fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let begin = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        &self.all[begin..self.ends[id] as usize]
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() + self.ends.capacity() * size_of::<u32>()
    }
}

/// Texts that are being gathered. None of the numbers is above `u32::MAX`, nor are all texts together longer than that.
#[derive(Debug, Default)]
pub(crate) struct TextInterner {
    texts: Texts,
    table: Table,
}

impl TextInterner {
    /// The number of a text; none if there is no room for it.
    pub(crate) fn id(&mut self, text: &str) -> Option<u32> {
        let TextInterner { texts, table } = self;
        let found =
            table.find(hash(text), texts.ends.len(), |id| texts.get(id) == text, |id| hash(texts.get(id)));
        match found {
            Ok(id) => Some(id),
            Err(place) => {
                let end = u32::try_from(texts.all.len() + text.len()).ok()?;
                let id = u32::try_from(texts.ends.len()).ok().filter(|&id| id < EMPTY)?;
                texts.all.push_str(text);
                texts.ends.push(end);
                table.slots[place] = id;
                Some(id)
            }
        }
    }

    pub(crate) fn get(&self, id: u32) -> &str {
        self.texts.get(id)
    }

    pub(crate) fn finish(mut self) -> Texts {
        self.texts.all.shrink_to_fit();
        self.texts.ends.shrink_to_fit();
        self.texts
    }
}

/// Values of a plain type that are being gathered.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    values: Vec<T>,
    table: Table,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { values: Vec::new(), table: Table::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of a value; none if there is no number left.
    pub(crate) fn id(&mut self, value: T) -> Option<u32> {
        let Interner { values, table } = self;
        let at = |id: u32| &values[id as usize];
        match table.find(hash(&value), values.len(), |id| *at(id) == value, |id| hash(at(id))) {
            Ok(id) => Some(id),
            Err(place) => {
                let id = u32::try_from(values.len()).ok().filter(|&id| id < EMPTY)?;
                values.push(value);
                table.slots[place] = id;
                Some(id)
            }
        }
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        &self.values[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn finish(mut self) -> Vec<T> {
        self.values.shrink_to_fit();
        self.values
    }
}

const EMPTY: u32 = u32::MAX;

/// Numbers by the hash of what they stand for. It is never iterated over, so its order shows nowhere.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<u32>,
}

impl Table {
    /// The number that fits, or the slot where a new one belongs.
    fn find(
        &mut self,
        hash: u64,
        count: usize,
        fits: impl Fn(u32) -> bool,
        hash_of: impl Fn(u32) -> u64,
    ) -> Result<u32, usize> {
        if count * 4 >= self.slots.len() * 3 {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![EMPTY; (old.len() * 2).max(16)];
            for id in old.into_iter().filter(|&id| id != EMPTY) {
                let place = self.probe(hash_of(id), |_| false).expect_err("nothing fits");
                self.slots[place] = id;
            }
        }
        self.probe(hash, fits)
    }

    fn probe(&self, hash: u64, fits: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        // The upper half is better mixed.
        let mut place = (hash >> 32) as usize & mask;
        loop {
            match self.slots[place] {
                EMPTY => return Err(place),
                id if fits(id) => return Ok(id),
                _ => place = (place + 1) & mask,
            }
        }
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut mixer = Mixer(0);
    value.hash(&mut mixer);
    mixer.finish()
}

/// A fixed hash function: words are folded in by a multiplication, as Fx does.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::{Interner, TextInterner};

    #[test]
    fn equal_values_share_a_number_and_others_do_not() {
        let (mut texts, mut values) = (TextInterner::default(), Interner::default());
        for round in 0..2 {
            for i in 0..10_000_u32 {
                assert_eq!(texts.id(&format!("text {i}")), Some(i), "round {round}");
                assert_eq!(values.id((i, u64::from(i) << 40)), Some(i), "round {round}");
            }
        }
        let (texts, values) = (texts.finish(), values.finish());
        assert!((0..10_000_u32).all(|i| texts.get(i) == format!("text {i}")));
        assert!((0..10_000_u32).all(|i| values[i as usize] == (i, u64::from(i) << 40)));
    }

    #[test]
    fn the_empty_text_is_a_text() {
        let mut texts = TextInterner::default();
        assert_eq!([texts.id(""), texts.id("a"), texts.id("")], [Some(0), Some(1), Some(0)]);
        assert_eq!(texts.get(0), "");
    }
}
