//! A fingerprint of a behaviour: 16 bytes, the same in every process and on every machine.

use std::hash::{Hash, Hasher};

use crate::engine::Engine;
use crate::sequence;

/// The fingerprint of the run that has just ended.
pub(crate) fn of(engine: &Engine) -> u128 {
    let mut mixer = Mixer(0);
    sequence::hash_behaviour(engine, &mut mixer);
    mixer.value()
}

/// The fingerprint of something that has one, together with something else.
pub(crate) fn with(fingerprint: u128, other: &impl Hash) -> u128 {
    let mut mixer = Mixer(fingerprint);
    other.hash(&mut mixer);
    mixer.value()
}

/// A hasher with 128 bits. It mixes words of 64 bits, whatever the size and the order of bytes of the machine's own.
struct Mixer(u128);

/// Odd, and without a pattern: digits of pi.
const FACTOR: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7345;

impl Mixer {
    fn value(&self) -> u128 {
        // The last words have only touched what is above them.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use insyn_sequences::{Event, EventRef, Kind, Location, Op, Pick, Process, Sequence};

    use super::*;
    use crate::Explorer;
    use crate::macro_support::label_with;
    use crate::std::sync::mpsc;
    use crate::std::thread;

    /// The fingerprint of a sequence, without its locations.
    fn fingerprint(sequence: &Sequence) -> u128 {
        let mut mixer = Mixer(0);
        sequence.hash_behaviour(&mut mixer);
        mixer.value()
    }

    /// A thread that receives these, one after the other.
    fn receives(partners: &[EventRef], line: u32) -> Sequence {
        let event = |&partner: &EventRef| Event {
            op: Op::Receive,
            object: Some(1),
            pick: Pick::Partners(vec![partner]),
            after: Vec::new(),
            label: None,
            location: Some(Location { file: "lib.rs".to_owned(), line, column: 1 }),
        };
        let events = partners.iter().map(event).collect();
        let process = Process { id: "main".to_owned(), kind: Kind::Thread, name: None, events };
        Sequence { processes: vec![process] }
    }

    #[test]
    fn a_run_has_that_of_its_sequence() {
        let check = |ended: &crate::Ended<'_>| {
            assert_eq!(of(ended.engine()), fingerprint(&ended.sequence()));
        };
        let exploration = Explorer::new().observe(check).explore(|| {
            let (numbers, received) = mpsc::channel();
            let start = |n: i64| {
                let numbers = numbers.clone();
                thread::spawn(move || {
                    label_with("sends", &n);
                    let _ = numbers.send(n);
                })
            };
            let threads = [1, 2].map(start);
            drop(numbers);
            let first = received.try_recv();
            threads.into_iter().for_each(|it| it.join().expect("it does not panic"));
            (first.ok(), received.recv().ok())
        });
        assert!(exploration.is_complete() && exploration.sequences > 2);
    }

    #[test]
    fn locations_do_not_count() {
        let partner = EventRef { process: 2, index: 0 };
        let [here, there] = [1, 2].map(|line| fingerprint(&receives(&[partner], line)));
        assert_eq!(here, there);
    }

    #[test]
    fn different_behaviours_have_different_ones() {
        let partners = (0..200).flat_map(|process| (0..200).map(move |index| EventRef { process, index }));
        let first = EventRef { process: 0, index: 0 };
        let all: BTreeSet<u128> = partners
            .flat_map(|it| [receives(&[it, first], 1), receives(&[first, first, it], 1)])
            .map(|it| fingerprint(&it))
            .collect();
        assert_eq!(all.len(), 80_000);
        // Neither half alone repeats, so both are mixed.
        let low: BTreeSet<u64> = all.iter().map(|&it| it as u64).collect();
        let high: BTreeSet<u64> = all.iter().map(|&it| (it >> 64) as u64).collect();
        assert_eq!((low.len(), high.len()), (80_000, 80_000));
    }
}
