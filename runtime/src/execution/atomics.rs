//! Shared variables. Writes complete in an order on the variable, each giving it a new version; a load happens on the
//! reading thread and picks a version, so loads do not order each other.

use super::calling::{self, answer};
use super::effects::Update;
use super::event::{Flags, Ix, Kind, NONE, Op, Pick, Span};
use super::objects;
use super::polling;
use super::stepping::{begin, wait};
use super::threads::WaitFor;
use super::{Execution, Place, Plan, of};

/// Makes a variable.
pub(crate) fn new(stamp: u64, initial: u64) -> u32 {
    let object = objects::new_object(stamp, Kind::Atomic, 0, initial);
    let x = of(stamp);
    x.ports += 1;
    x.objects[object as usize].versions.push((NONE, initial));
    object
}

/// Reads a variable.
#[track_caller]
pub(crate) fn load(stamp: u64, object: u32, place: Place) -> u64 {
    if of(stamp).settings.ordered_loads {
        let me = of(stamp).running as usize;
        calling::call(stamp, object, Op::Observe, place);
        return of(stamp).threads[me].old_value;
    }
    let seen = load_version(stamp, object, place);
    let versions = &of(stamp).objects[object as usize].versions;
    versions.iter().rev().find(|(write, _)| *write == seen).expect("a version that was picked is there").1
}

/// Writes a variable.
#[track_caller]
pub(crate) fn store(stamp: u64, object: u32, value: u64, place: Place) {
    let _ = change(stamp, object, Op::Store, |_, a, _| Some(a), value, 0, place);
}

/// Reads a variable and writes it at once, if there is something to write. The old value, as an error if not.
#[track_caller]
pub(crate) fn update(stamp: u64, object: u32, f: Update, a: u64, b: u64, place: Place) -> Result<u64, u64> {
    change(stamp, object, Op::Update, f, a, b, place)
}

/// What was written last. No event: the caller has the variable to itself.
#[track_caller]
pub(crate) fn latest(stamp: u64, object: u32) -> u64 {
    of(stamp).objects[object as usize].versions.last().expect("it has an initial value").1
}

/// The caller, who has the variable to itself, has changed it.
#[track_caller]
pub(crate) fn reset(stamp: u64, object: u32, value: u64) {
    let variable = &mut of(stamp).objects[object as usize];
    variable.versions.last_mut().expect("it has an initial value").1 = value;
    variable.state = value;
}

#[track_caller]
fn change(stamp: u64, object: u32, op: Op, f: Update, a: u64, b: u64, place: Place) -> Result<u64, u64> {
    let x = of(stamp);
    let me = x.running as usize;
    x.threads[me].update = Some((f, a, b));
    let answer = calling::call(stamp, object, op, place);
    let old = of(stamp).threads[me].old_value;
    if answer == answer::YES { Ok(old) } else { Err(old) }
}

/// Picks a version: the completion that wrote it, or none for the first.
#[track_caller]
pub(crate) fn load_version(stamp: u64, object: u32, place: Place) -> Ix {
    let polls_again = of(stamp).polls_again(object, place);
    if polls_again && polling::is_tested(of(stamp)) {
        polling::look_in_vain();
        return of(stamp).latest_version(object);
    }
    let mut x = begin(stamp);
    let flags = if polls_again { Flags::FRESH } else { Flags::default() };
    loop {
        match x.try_load(object, flags, place) {
            Ok(version) => return version,
            Err(on) => {
                x.block(on, place);
                x.reading += 1;
            }
        }
        let me = x.running as usize;
        x.threads[me].poll.is_waiting = polls_again;
        wait();
        x = of(stamp);
        x.reading -= 1;
        x.threads[me].poll.is_waiting = false;
        if polls_again && polling::is_tested(x) {
            return x.latest_version(object);
        }
    }
}

impl Execution {
    fn try_load(&mut self, object: u32, flags: Flags, place: Place) -> Result<Ix, WaitFor> {
        let chain = self.threads[self.running as usize].process;
        let versions = &self.objects[object as usize].versions;
        let version = match self.plan(chain) {
            Plan::Fixed(past) => {
                let version = match self.script.takes(past) {
                    [] => NONE,
                    [write, ..] => self.again(*write).map_err(WaitFor::Event)?,
                };
                let is_its = version == NONE || self.run().at(version).object == object;
                if !is_its || self.script.doubtful && !self.may_see(object, version) {
                    return Err(self.leave_script(chain));
                }
                version
            }
            Plan::Renewed => {
                let fresh = versions.iter().rev().find(|(write, _)| *write != NONE && !self.is_old(*write));
                fresh.map(|(write, _)| *write).ok_or(WaitFor::Version { object })?
            }
            Plan::Free => {
                let latest = self.latest_version(object);
                if flags.has(Flags::FRESH) && (latest == NONE || self.is_in_past(latest)) {
                    return Err(WaitFor::Version { object });
                }
                latest
            }
        };
        let (pick, mates) =
            if version == NONE { (Pick::Nothing, &[][..]) } else { (Pick::Mates, &[version][..]) };
        self.record_pick(Op::Load, object, pick, mates, Span::default(), flags, place);
        self.note_poll(object, place);
        Ok(version)
    }

    fn latest_version(&self, object: u32) -> Ix {
        self.objects[object as usize].versions.last().map_or(NONE, |(write, _)| *write)
    }

    /// Whether the running thread does not know of a later version.
    #[cold]
    #[inline(never)]
    fn may_see(&self, object: u32, version: Ix) -> bool {
        let versions = &self.objects[object as usize].versions;
        let Some(at) = versions.iter().position(|(write, _)| *write == version) else {
            return version == NONE && !versions.iter().any(|(write, _)| self.is_in_past(*write));
        };
        !versions[at + 1..].iter().any(|(write, _)| self.is_in_past(*write))
    }

    /// Wakes the threads that wait to see a version.
    pub(super) fn tell_readers(&mut self, object: u32, write: Ix) {
        if self.reading == 0 {
            return;
        }
        let name = self.name_of(write);
        for t in 0..self.live_threads as u32 {
            let waits = self.threads[t as usize].waits_for;
            if waits == WaitFor::Event(name) || waits == (WaitFor::Version { object }) {
                self.wake(t);
            }
        }
    }
}
