//! Readers and writers: several may read at a time, a writer writes alone.
//!
//! The same task in the ways of the papers, each in its own file, and each with a choice of who goes first.

pub mod monitor_sc;
pub mod monitor_su;
pub mod select;
pub mod semaphores;

/// What a solution offers. Labels say, while nobody else can be at it, when somebody has found that it must wait
/// (`wait_read`, `wait_write`), comes in (`enter_read`, `enter_write`) and goes (`leave_read`, `leave_write`); a server, which
/// does not see who waits, says when it has looked for those who go first and found none (`no_reader`, `no_writer`).
pub trait Access: Sync {
    /// Waits until reading is allowed.
    fn start_read(&self);
    /// Says that reading is over.
    fn end_read(&self);
    /// Waits until writing is allowed.
    fn start_write(&self);
    /// Says that writing is over.
    fn end_write(&self);
}

/// Who goes first when both readers and writers want to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// A reader waits only for who writes; after a write readers go first.
    Readers,
    /// A reader waits also for writers who wait; after a write writers go first.
    Writers,
    /// Nobody. A server takes whoever it likes, and condition variables wake both. With the baton and with urgent wait
    /// they take turns: a reader waits also for writers who wait, but after a write readers go first.
    Neither,
}

impl Preference {
    /// Whether a reader who comes now has to wait for writers who wait.
    fn defers_to_waiting_writers(self) -> bool {
        self != Preference::Readers
    }

    /// Whether readers go first after a write.
    fn readers_next(self) -> bool {
        self != Preference::Writers
    }
}
