//! The rules of the exploration, each of which a test can switch off to show that it is needed.

/// Input: rules with their documentation. Output: the type, and the list of all of them.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident,)*) => {
        /// A rule of the exploration algorithm. Switching one off makes the exploration wrong; tests do so to show that the
        /// comparison with brute force notices.
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];
        }
    };
}

rules! {
    // ---- race sets ---------------------------------------------------------------------------------------------
    /// A partner must be open at the receive.
    Open,
    /// A partner must not happen after the receive.
    NotAfter,
    /// A partner must not have been taken before the receive.
    NotTaken,
    /// A message does not overtake one that happened before it.
    CausalDelivery,
    /// A disconnect stays behind every message.
    DisconnectLast,
    /// A load sees nothing older than a write in its own past.
    NotOverwritten,
    /// NOTHING is no choice when the receive's own past rules it out.
    NothingRuledOut,
    /// An old receive is changed only to a new partner.
    OldPartners,
    /// NOTHING is always old.
    OldNothing,
    /// Several partners that are taken together are old only if all of them are.
    OldTogether,
    // ---- the race table ----------------------------------------------------------------------------------------
    /// A receive whose own past holds a changed one is removed.
    OwnPastIntact,
    /// A new partner must not itself happen after a changed receive.
    PartnerPresent,
    /// A receive that lost its partner happens again and must take a new one.
    Renewal,
    /// What an event does after a changed pick is new.
    NewEffects,
    // ---- colours -----------------------------------------------------------------------------------------------
    /// A receive that has changed, or happens before one that has, never changes again.
    Black,
    /// What happens before a changed receive turns black, and not only the receive itself.
    BlackBefore,
    /// A black event stays black while it is kept.
    BlackForGood,
    // ---- repeats -----------------------------------------------------------------------------------------------
    /// A repeat is not counted.
    RepeatsUncounted,
    /// The variants of a repeat are explored.
    RepeatsExplored,
    /// A receive that found no new partner stays renewed in the variants of the repeat.
    StillRenewed,
    // ---- consistency -----------------------------------------------------------------------------------------------
    /// A run that real objects could not have done is not counted.
    Consistency,
    /// The variants of an inconsistent run are explored.
    InconsistentExplored,
    /// A variant whose permanent part is inconsistent is not run. No consistent run follows from it, so this only saves
    /// work.
    InconsistentDropped,
    /// Messages leave a queue in the order they came in.
    QueueOrder,
    /// A message that was received came into the queue before one that was not.
    UnreceivedLast,
    /// "Found empty" comes before every send that was not taken before it.
    EmptyBeforeSends,
    /// A send that succeeds comes before the receiver's drop.
    SentBeforeDrop,
    /// "Not disconnected yet" comes before at least one of the senders' drops.
    DisconnectAfterSomeDrop,
    /// What completes before a channel hangs up comes before at least one of the receivers' drops.
    HangUpAfterSomeDrop,
    /// A load comes before the next write.
    LoadBeforeNextWrite,
}

/// Which rules are on.
#[derive(Clone, Copy, Debug)]
pub struct Rules(u32);

const _: () = assert!(Rule::ALL.len() <= 32, "there is a bit for each");

impl Rules {
    pub const ALL: Rules = Rules(u32::MAX);

    #[inline(always)]
    pub const fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u32) != 0
    }

    pub fn without(self, rule: Rule) -> Self {
        Rules(self.0 & !(1 << rule as u32))
    }

    /// Whether scripts are followed unchanged.
    #[inline(always)]
    pub(crate) const fn keep_scripts(self) -> bool {
        self.has(Rule::NewEffects) && self.has(Rule::BlackBefore) && self.has(Rule::BlackForGood)
    }
}
