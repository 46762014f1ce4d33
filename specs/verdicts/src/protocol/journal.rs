//! Where a worker is when it dies: what it leaves in a file, for whoever asks why.

use serde::{Deserialize, Serialize};

/// The environment variable that names the file of the journal.
pub const JOURNAL: &str = "INSYN_JOURNAL";

/// A moment in the life of a worker that tries a mutant. The file of the journal is four numbers of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The mutant that was on; 0 is the original.
    pub mutant: u32,
    /// How many runs had been started since the mutant was first switched on.
    pub run: u64,
    /// How many events the last of them had had.
    pub events: u64,
    /// Whether the run was over, and what was left of it was being cleared away.
    pub over: bool,
}

impl Moment {
    /// What is in the file of a journal before a worker writes it.
    pub const EMPTY: [u8; 32] = [0; 32];

    /// Reads what is in the file of a journal; none if it is not one.
    pub fn of(bytes: &[u8]) -> Option<Moment> {
        let number = |n: usize| Some(u64::from_ne_bytes(bytes.get(n * 8..n * 8 + 8)?.try_into().ok()?));
        Some(Moment { mutant: number(0)? as u32, run: number(1)?, events: number(2)?, over: number(3)? != 0 })
    }
}
