//! Facts about an event that are fixed when it is recorded.

/// Facts about an event that are fixed when it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    pub(crate) const NO: Flags = Flags(0);
    /// The pick may never change again.
    pub const BLACK: Flags = Flags(1);
    /// As a receiving event: kept or renewed in the variant that led to this run.
    pub const OLD: Flags = Flags(2);
    /// As a partner: existed in the parent's run too. A kept event whose pick was just changed did not, since what it does
    /// after the pick is new.
    pub const OLD_EFFECT: Flags = Flags(4);
    /// A receiving event that may also take NOTHING.
    pub const MAY_FAIL: Flags = Flags(8);
    /// A receive that any one disconnect can end, not only that of all open ports.
    pub const ANY_CLOSED: Flags = Flags(16);
    /// An offer of a select that does not wait.
    pub(crate) const NO_WAIT: Flags = Flags(32);
    /// A completion that wrote a new version of a variable.
    pub const WRITES: Flags = Flags(64);
    /// An offer of a select that prefers earlier offers.
    pub const BIASED: Flags = Flags(128);
    /// A poll that follows one that found the same thing: it waits until that has changed.
    pub const FRESH: Flags = Flags(256);
    /// Waits for a closure to complete, even if earlier runs of it panic.
    pub(crate) const FORGIVING: Flags = Flags(512);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitAnd for Flags {
    type Output = Flags;
    #[inline]
    fn bitand(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    #[inline]
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}
