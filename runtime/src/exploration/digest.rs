//! What the check of reality needs to know of a run, whatever part of it is checked: its objects, and the events that they
//! may demand something of.

use super::set::Set;
use crate::execution::Execution;
use crate::execution::event::{Flags, Ix, NONE, Op, Run};
use crate::execution::ports::Delivery;

/// What is known of a run that could be unreal. Where the run cannot be unreal, nothing else is known.
#[derive(Default, Debug)]
pub(crate) struct Digest {
    /// The run, or a variant of it, could be unreal.
    pub(crate) may_be_unreal: bool,
    /// By object: whether it delivers like a queue.
    pub(crate) mailbox: Vec<bool>,
    /// By object: what a send meets when no receiver is left.
    pub(crate) gone: Vec<Ix>,
    /// By object: the process of its timeline.
    pub(crate) lines: Vec<u32>,
    /// The events that objects may demand something of, in order.
    pub(crate) events: Vec<Ix>,
    /// The events that are black.
    pub(super) black: Set,
    /// Some receiving event could have found nothing on a channel, or a channel on a timeline has hung up.
    pub(crate) may_find_nothing: bool,
    /// Memory: by port, the last send so far.
    last_sent: Vec<Ix>,
}

impl Digest {
    /// Whether the run could be unreal as far as one can tell without its pasts. If it could not, neither could its
    /// variants.
    pub(crate) fn is_in_doubt(&mut self, x: &Execution) -> bool {
        // A single queue cannot contradict itself; it takes two, or a receive that found nothing.
        self.may_be_unreal = x.may_find_nothing
            || x.ports > 1 && self.races_at_two(x, |a, b| is_plainly_before(x.run(), a, b));
        self.may_be_unreal
    }

    /// Reads the run; `before` says whether one event happens before another. Output: whether it, or a variant of it, could
    /// be unreal.
    pub(crate) fn read(&mut self, x: &Execution, before: impl Fn(Ix, Ix) -> bool) -> bool {
        self.may_be_unreal = x.may_find_nothing || self.races_at_two(x, before);
        if self.may_be_unreal {
            self.list(x);
        }
        self.may_be_unreal
    }

    /// The digest of a run, whether or not it could be unreal.
    pub(crate) fn of(x: &Execution) -> Self {
        let mut digest = Digest { may_be_unreal: true, ..Digest::default() };
        digest.list(x);
        digest
    }

    /// Whether there are two objects at each of which something races: messages, or loads. (Where the sends to a port are
    /// ordered, so are its receives.)
    fn races_at_two(&mut self, x: &Execution, before: impl Fn(Ix, Ix) -> bool) -> bool {
        self.last_sent.clear();
        self.last_sent.resize(x.live_objects, NONE);
        let mut racing = NONE;
        for (i, event) in (0..).zip(&x.run().events) {
            let races = match event.op {
                Op::Load => true,
                Op::Send | Op::Call | Op::DropReceiver => {
                    let last = std::mem::replace(&mut self.last_sent[event.object as usize], i);
                    last != NONE && !before(last, i)
                }
                _ => false,
            };
            if races {
                if racing != NONE && racing != event.object {
                    return true;
                }
                racing = event.object;
            }
        }
        false
    }

    fn list(&mut self, x: &Execution) {
        let objects = &x.objects[..x.live_objects];
        self.mailbox.clear();
        self.mailbox.extend(objects.iter().map(|o| o.delivery == Delivery::Mailbox));
        self.gone.clear();
        self.gone.extend(objects.iter().map(|o| o.receiver_drop));
        self.lines.clear();
        self.lines.extend(objects.iter().map(|o| objects[o.host as usize].line));
        self.may_find_nothing = x.may_find_nothing;
        // Any completion on a timeline may be one that has found nothing.
        let all_matter = x.may_find_nothing && objects.iter().any(|o| !o.is_port);
        self.list_events(x.run(), all_matter);
    }

    fn list_events(&mut self, run: &Run, all_matter: bool) {
        self.black.clear_for(run.events.len());
        self.events.clear();
        for (i, event) in (0..).zip(&run.events) {
            if event.flags.has(Flags::BLACK) {
                self.black.insert(i);
            }
            if all_matter || MATTERS[event.op as usize] || event.flags.has(Flags::WRITES) {
                self.events.push(i);
            }
        }
    }
}

/// By operation: whether ports and variables may demand something of it.
const MATTERS: [bool; Op::ALL.len()] = {
    let mut matters = [false; Op::ALL.len()];
    let mut n = 0;
    while n < matters.len() {
        matters[n] = matches!(
            Op::ALL[n],
            Op::Send
                | Op::Call
                | Op::Receive
                | Op::Accept
                | Op::Load
                | Op::DropReceiver
                | Op::HangUp
                | Op::Disconnect
        );
        n += 1;
    }
    matters
};

/// Whether one can see without any pasts that `a` happens before `b`: they are of one process, or `b` is of the process that
/// has taken `a` before.
fn is_plainly_before(run: &Run, a: Ix, b: Ix) -> bool {
    let (taker, chain) = (run.at(a).taken_by(), run.at(b).chain);
    run.at(a).chain == chain || taker < b && run.at(taker).chain == chain
}
