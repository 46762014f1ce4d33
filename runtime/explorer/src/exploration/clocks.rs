//! Happens-before of a long run, in memory that grows with the number of its events.
//!
//! The events of a thread, together with the completions of its calls, are a *chain*: each happens before the next. So to
//! know a chain is to know the latest event of it. Most events learn of no other chain than those before them on their own;
//! what they do learn is recorded with the event ([`Step`]), and whether one event happens before another is a search among
//! the steps of one chain that concern the other.
//!
//! An event without a thread (a disconnect, the firing of a timer) is a chain of its own. What the first event of a chain
//! follows (the spawn of a thread, say) is the *anchor* of the chain; what was known there is not recorded again.
//!
//! One kind of event does not fit in: the offers of a select that come after the one that was completed. The thread goes on
//! after the completion, which does not follow them. They are listed, together with the few events that do follow them.

use insyn_engine::ids::{EventId, Id as _};
use insyn_engine::record::event::{Event, Op, Pick};
use insyn_engine::record::run::RecordedRun;

/// The chains of a run. The memory is used again for other runs.
#[derive(Default, Debug)]
pub(crate) struct Clocks {
    /// By event: its chain. The first place is not used.
    chains_of: Vec<ChainId>,
    chains: Vec<Chain>,
    /// How many chains the run has; the others are memory.
    live: usize,
    /// By thread: its chain, and none for a thread that has had no event yet. The first place is not used.
    of_thread: Vec<Option<ChainId>>,
    /// Offers that were withdrawn and that their threads do not follow, in order, each with the completion that withdrew it.
    withdrawn: Vec<(EventId, EventId)>,
    /// Offers that other threads have found there without completing them, in order, each with what follows it there.
    found: Vec<(EventId, EventId)>,
    /// Memory: events that are to be learned of.
    path: Vec<EventId>,
}

/// The place of a chain among those of the run.
type ChainId = u32;

#[derive(Default, Debug)]
struct Chain {
    /// What the first event of the chain follows.
    anchor: Option<EventId>,
    /// The other chains that it has learned of since its anchor, by their places.
    known: Vec<Known>,
    /// What it has learned, in order.
    learned: Vec<Learned>,
}

/// What a chain knows of another.
#[derive(Debug)]
struct Known {
    chain: ChainId,
    steps: Vec<Step>,
}

/// From one event of a chain on, another chain is known up to an event.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: EventId,
    up_to: EventId,
}

/// A step, together with the chain that it is about.
#[derive(Clone, Copy, Debug)]
struct Learned {
    chain: ChainId,
    step: Step,
}

impl Clocks {
    /// Reads a run. The order of recording is topological, so one pass is enough.
    pub(crate) fn compute(&mut self, run: &RecordedRun) {
        self.clear();
        // The first place is not used.
        self.chains_of.push(0);
        for (i, event) in run.events.pairs() {
            let (chain, is_new) = self.chain_for(event);
            self.chains_of.push(chain);
            let mut before = run.own(event).chain(run.partners(event).iter().copied());
            if is_new {
                self.chains[chain as usize].anchor = before.next();
            }
            for it in before {
                self.follow(chain, it, i);
            }
            if let Some(by) = withdrawn_by(run, i, event) {
                self.withdrawn.push((i, by));
            }
            if matches!(event.op, Op::ReadyPut | Op::ReadyTake) && event.partners.len > 1 {
                let others = run.partners(event).iter().filter(|&&it| run.at(it).taken_by != Some(i));
                self.found.extend(others.map(|&offer| (offer, i)));
            }
        }
        self.found.sort_unstable();
        #[cfg(debug_assertions)]
        self.verify(run);
    }

    pub(crate) fn clear(&mut self) {
        let Clocks { chains_of, chains, live, of_thread, withdrawn, found, path: _ } = self;
        chains_of.clear();
        for chain in &mut chains[..*live] {
            chain.anchor = None;
            chain.known.clear();
            chain.learned.clear();
        }
        *live = 0;
        of_thread.clear();
        withdrawn.clear();
        found.clear();
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        let of_chain = |chain: &Chain| {
            size_of::<Chain>()
                + chain.known.len() * size_of::<Known>()
                + chain.learned.len() * (size_of::<Learned>() + size_of::<Step>())
        };
        size_of_val(&self.chains_of[..])
            + self.chains[..self.live].iter().map(of_chain).sum::<usize>()
            + size_of_val(&self.withdrawn[..])
            + size_of_val(&self.found[..])
    }

    /// How many chains there are.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// The chain of an event.
    #[inline]
    pub(crate) fn chain(&self, event: EventId) -> usize {
        self.chains_of[event.place()] as usize
    }

    /// Whether `a` happens before `b`.
    #[inline]
    pub(crate) fn before(&self, a: EventId, b: EventId) -> bool {
        if a >= b {
            return false;
        }
        let (of_a, of_b) = (self.chains_of[a.place()], self.chains_of[b.place()]);
        if !self.withdrawn.is_empty()
            && let Ok(at) = self.withdrawn.binary_search_by_key(&a, |(offer, _)| *offer)
        {
            return self.is_after_withdrawn(self.withdrawn[at], b);
        }
        of_a == of_b || self.known_at(of_b, b, of_a) >= Some(a)
    }

    /// Whether `b` follows an offer that was withdrawn: as a later offer of the same select, or because another thread has
    /// found one of them.
    #[cold]
    fn is_after_withdrawn(&self, (offer, by): (EventId, EventId), b: EventId) -> bool {
        let chain = self.chain(offer);
        let first = self.found.partition_point(|(it, _)| *it < offer);
        let mut found = self.found[first..].iter().take_while(|(it, _)| *it < by);
        self.chain(b) == chain && b < by
            || found.any(|&(it, next)| self.chain(it) == chain && (next == b || self.before(next, b)))
    }

    /// The chain for the next event, and whether that is its first.
    fn chain_for(&mut self, event: &Event) -> (ChainId, bool) {
        let Some(thread) = event.thread else { return (self.new_chain(), true) };
        let place = thread.place();
        if place >= self.of_thread.len() {
            self.of_thread.resize(place + 1, None);
        }
        match self.of_thread[place] {
            Some(chain) => (chain, false),
            None => {
                let chain = self.new_chain();
                self.of_thread[place] = Some(chain);
                (chain, true)
            }
        }
    }

    fn new_chain(&mut self) -> ChainId {
        if self.live == self.chains.len() {
            self.chains.push(Chain::default());
        }
        self.live += 1;
        (self.live - 1) as ChainId
    }

    /// The event `at`, the last of a chain so far, follows another, and so everything that happens before that.
    #[inline]
    fn follow(&mut self, chain: ChainId, event: EventId, at: EventId) {
        if self.chains_of[event.place()] != chain {
            self.learn(chain, event, at);
        }
    }

    fn learn(&mut self, chain: ChainId, event: EventId, at: EventId) {
        // If nothing was known of the other chain, then what it began with may be new as well, and comes first.
        let mut path = std::mem::take(&mut self.path);
        let mut next = Some(event);
        while let Some(event) = next {
            let of_event = self.chains_of[event.place()];
            let known = if of_event == chain { Some(at) } else { self.known_by(chain, of_event) };
            if known >= Some(event) {
                break;
            }
            path.push(event);
            next = if known.is_none() { self.chains[of_event as usize].anchor } else { None };
        }
        while let Some(event) = path.pop() {
            self.learn_chain(chain, event, at);
        }
        self.path = path;
    }

    /// As [`learn`](Self::learn), where what the chain of the event began with is known.
    fn learn_chain(&mut self, chain: ChainId, event: EventId, at: EventId) {
        let of_event = self.chains_of[event.place()];
        let known = self.known_by(chain, of_event);
        if known >= Some(event) {
            return;
        }
        // What was learned there up to the event that is known is known too.
        let learned = &self.chains[of_event as usize].learned;
        let first = known.map_or(0, |known| learned.partition_point(|it| it.step.from <= known));
        let last = learned.partition_point(|it| it.step.from <= event);
        for n in first..last {
            let Learned { chain: third, step } = self.chains[of_event as usize].learned[n];
            if third != chain && self.known_by(chain, third) < Some(step.up_to) {
                self.note(chain, third, Step { from: at, up_to: step.up_to });
            }
        }
        self.note(chain, of_event, Step { from: at, up_to: event });
    }

    fn note(&mut self, chain: ChainId, about: ChainId, step: Step) {
        let Chain { known, learned, .. } = &mut self.chains[chain as usize];
        learned.push(Learned { chain: about, step });
        match known.binary_search_by_key(&about, |it| it.chain) {
            Ok(at) => known[at].steps.push(step),
            Err(at) => known.insert(at, Known { chain: about, steps: vec![step] }),
        }
    }

    /// The latest event of another chain that a chain knows by now.
    fn known_by(&self, chain: ChainId, of: ChainId) -> Option<EventId> {
        let Chain { known, anchor, .. } = &self.chains[chain as usize];
        match known.binary_search_by_key(&of, |it| it.chain) {
            Ok(at) => known[at].steps.last().map(|step| step.up_to),
            Err(_) => self.known_with(*anchor, of),
        }
    }

    /// The latest event of another chain that happens before this event of a chain.
    fn known_at(&self, chain: ChainId, event: EventId, of: ChainId) -> Option<EventId> {
        let (mut chain, mut event) = (chain, event);
        loop {
            let Chain { known, anchor, .. } = &self.chains[chain as usize];
            if let Ok(at) = known.binary_search_by_key(&of, |it| it.chain) {
                let steps = &known[at].steps;
                if let Some(last) = steps.partition_point(|it| it.from <= event).checked_sub(1) {
                    return Some(steps[last].up_to);
                }
            }
            event = (*anchor)?;
            chain = self.chains_of[event.place()];
            if chain == of {
                return Some(event);
            }
        }
    }

    /// The latest event of a chain that is this event or happens before it.
    fn known_with(&self, event: Option<EventId>, of: ChainId) -> Option<EventId> {
        let event = event?;
        let chain = self.chains_of[event.place()];
        if chain == of { Some(event) } else { self.known_at(chain, event, of) }
    }

    /// Compares with what every event has in its past, for a run that is short enough for that.
    #[cfg(debug_assertions)]
    fn verify(&self, run: &RecordedRun) {
        const MOST: usize = 200;
        if run.events.len() > MOST {
            return;
        }
        let mut pasts: Vec<Vec<bool>> = vec![vec![false; run.events.len() + 1]; run.events.len() + 1];
        for (i, event) in run.events.pairs() {
            for it in run.own(event).chain(run.partners(event).iter().copied()) {
                let (earlier, rest) = pasts.split_at_mut(i.place());
                let mine = &mut rest[0];
                mine[it.place()] = true;
                mine.iter_mut().zip(&earlier[it.place()]).for_each(|(mine, its)| *mine |= its);
            }
        }
        for b in run.events.ids() {
            for a in run.events.ids() {
                let is_before = pasts[b.place()][a.place()];
                assert_eq!(self.before(a, b), is_before, "{a:?} {:?} {b:?} {:?}", run.at(a), run.at(b));
            }
        }
    }
}

/// The completion that withdrew an offer, where the thread goes on without following the offer.
fn withdrawn_by(run: &RecordedRun, i: EventId, event: &Event) -> Option<EventId> {
    if !event.op.is_offer() || event.pick != Pick::No {
        return None;
    }
    let by = event.taken_by?;
    let mut partners = run.partners(run.at(by)).iter();
    let completed = partners.find(|&&partner| run.at(partner).thread == event.thread)?;
    (*completed < i).then_some(by)
}
