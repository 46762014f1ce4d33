//! A fingerprint of a behaviour: 16 bytes, the same in every process and on every machine.

use crate::sequence;
use insyn_engine::Engine;
use insyn_engine::mixer::Mixer;

/// The fingerprint of the run that has just ended.
pub fn of(engine: &Engine) -> u128 {
    let mut mixer = Mixer::new();
    sequence::hash_behaviour(engine, &mut mixer);
    mixer.value()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use insyn_sequences::{Event, EventRef, Kind, Location, Op, Pick, Process, Sequence};

    use super::*;

    /// The fingerprint of a sequence, without its locations.
    fn fingerprint(sequence: &Sequence) -> u128 {
        let mut mixer = Mixer::new();
        sequence.hash_behaviour(&mut mixer);
        mixer.value()
    }

    /// A thread that receives these partners, one after the other.
    fn receives(partners: &[EventRef], line: u32) -> Sequence {
        let event = |&partner: &EventRef| Event {
            op: Op::Receive,
            object: Some(1),
            pick: Pick::Partners(vec![partner]),
            after: Vec::new(),
            empty: Vec::new(),
            label: None,
            location: Some(Location { file: "lib.rs".to_owned(), line, column: 1 }),
        };
        let events = partners.iter().map(event).collect();
        let process = Process { id: "main".to_owned(), kind: Kind::Thread, name: None, events };
        Sequence { processes: vec![process] }
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
