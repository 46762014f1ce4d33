//! The rules of the exploration, each of which a test can switch off to show that it is needed.

/// A rule of the exploration algorithm. Switching one off makes the exploration wrong; this exists so that tests can
/// show that the comparison with brute force notices.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// A receive that has changed, or happens before one that has, never changes again.
    Black,
    /// An old receive is changed only to a new partner.
    OldPartners,
    /// A receive that lost its partner comes up again and must take a new one.
    Renewal,
    /// The variants of a repeat are explored.
    RepeatsExplored,
    /// A repeat is not counted.
    RepeatsUncounted,
    /// A message does not overtake one that happened before it.
    CausalDelivery,
    /// A run that real objects could not have done is not counted.
    Reality,
    /// "Not disconnected yet" comes before at least one of the senders' drops.
    DisconnectAfterSomeDrop,
    /// A new partner must not itself happen after a changed receive.
    PartnerPresent,
    /// A receive whose own past holds a changed one is removed.
    OwnPastIntact,
    /// NOTHING is no choice when the receive's own past rules it out.
    NothingRuledOut,
    /// What an event does after a changed pick is new.
    NewEffects,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 12] = [
        Rule::Black,
        Rule::OldPartners,
        Rule::Renewal,
        Rule::RepeatsExplored,
        Rule::RepeatsUncounted,
        Rule::CausalDelivery,
        Rule::Reality,
        Rule::DisconnectAfterSomeDrop,
        Rule::PartnerPresent,
        Rule::OwnPastIntact,
        Rule::NothingRuledOut,
        Rule::NewEffects,
    ];
}

/// Which rules are on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) black: bool,
    pub(crate) old_partners: bool,
    pub(crate) renewal: bool,
    pub(crate) repeats_explored: bool,
    pub(crate) repeats_uncounted: bool,
    pub(crate) causal_delivery: bool,
    pub(crate) reality: bool,
    pub(crate) disconnect_after_some_drop: bool,
    pub(crate) partner_present: bool,
    pub(crate) own_past_intact: bool,
    pub(crate) nothing_ruled_out: bool,
    pub(crate) new_effects: bool,
}

impl Rules {
    pub(crate) const ALL: Rules = Rules {
        black: true,
        old_partners: true,
        renewal: true,
        repeats_explored: true,
        repeats_uncounted: true,
        causal_delivery: true,
        reality: true,
        disconnect_after_some_drop: true,
        partner_present: true,
        own_past_intact: true,
        nothing_ruled_out: true,
        new_effects: true,
    };

    pub(crate) fn without(mut self, rule: Rule) -> Self {
        let flag = match rule {
            Rule::Black => &mut self.black,
            Rule::OldPartners => &mut self.old_partners,
            Rule::Renewal => &mut self.renewal,
            Rule::RepeatsExplored => &mut self.repeats_explored,
            Rule::RepeatsUncounted => &mut self.repeats_uncounted,
            Rule::CausalDelivery => &mut self.causal_delivery,
            Rule::Reality => &mut self.reality,
            Rule::DisconnectAfterSomeDrop => &mut self.disconnect_after_some_drop,
            Rule::PartnerPresent => &mut self.partner_present,
            Rule::OwnPastIntact => &mut self.own_past_intact,
            Rule::NothingRuledOut => &mut self.nothing_ruled_out,
            Rule::NewEffects => &mut self.new_effects,
        };
        *flag = false;
        self
    }
}
