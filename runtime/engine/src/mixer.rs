//! A hasher whose values are the same in every process and on every machine.

use std::hash::{Hash, Hasher};

/// Combines a fingerprint with a further value.
pub fn with(fingerprint: u128, other: &impl Hash) -> u128 {
    let mut mixer = Mixer(fingerprint);
    other.hash(&mut mixer);
    mixer.value()
}

/// A hasher with 128 bits. It mixes words of 64 bits, whatever the word size and byte order of the machine.
pub struct Mixer(u128);

/// Odd, and without a pattern: digits of pi.
const FACTOR: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7345;

impl Mixer {
    /// Nothing mixed in yet.
    pub fn new() -> Self {
        Mixer(0)
    }

    pub fn value(&self) -> u128 {
        // The last words have only affected the higher bits.
        let mixed = (self.0 ^ self.0 >> 67).wrapping_mul(FACTOR);
        mixed ^ mixed >> 61
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.value() as u64
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(43) ^ u128::from(word)).wrapping_add(1).wrapping_mul(FACTOR);
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.write_u64(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, it: u8) {
        self.write_u64(u64::from(it));
    }

    fn write_u16(&mut self, it: u16) {
        self.write_u64(u64::from(it));
    }

    fn write_u32(&mut self, it: u32) {
        self.write_u64(u64::from(it));
    }

    fn write_usize(&mut self, it: usize) {
        self.write_u64(it as u64);
    }

    fn write_i64(&mut self, it: i64) {
        self.write_u64(it as u64);
    }

    fn write_isize(&mut self, it: isize) {
        self.write_u64(it as u64);
    }
}
