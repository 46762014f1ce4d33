//! Sequences written down event by event, with processes and events called by name.

use insyn_sequences::{Event, EventRef, Kind, Label, Location, Op, Pick, Process, Sequence, Value};

/// Collects processes and events; `finish` puts them in canonical form.
#[derive(Default)]
pub struct Build {
    processes: Vec<Process>,
}

impl Build {
    pub fn process(&mut self, id: &str, kind: Kind) -> usize {
        self.processes.push(Process { id: id.to_owned(), kind, name: None, events: Vec::new() });
        self.processes.len() - 1
    }

    pub fn named(&mut self, id: &str, kind: Kind, name: &str) -> usize {
        let process = self.process(id, kind);
        self.processes[process].name = Some(name.to_owned());
        process
    }

    pub fn threads<const N: usize>(&mut self, ids: [&str; N]) -> [usize; N] {
        ids.map(|id| self.process(id, Kind::Thread))
    }

    pub fn event(&mut self, process: usize, op: Op, object: Option<usize>, pick: Pick) -> EventRef {
        let event =
            Event { op, object, pick, after: Vec::new(), empty: Vec::new(), label: None, location: None };
        self.processes[process].events.push(event);
        EventRef { process, index: self.processes[process].events.len() - 1 }
    }

    /// A moment that a thread gives a name.
    pub fn label(&mut self, thread: usize, text: &str, value: Option<Value>) -> EventRef {
        let at = self.event(thread, Op::Label, None, Pick::None);
        self.processes[thread].events[at.index].label = Some(Label { text: text.into(), value });
        at
    }

    /// A thread's operation that picks nothing.
    pub fn does(&mut self, thread: usize, op: Op, object: usize) -> EventRef {
        self.event(thread, op, Some(object), Pick::None)
    }

    /// A thread's operation that takes these partners.
    pub fn takes(&mut self, thread: usize, op: Op, object: usize, partners: &[EventRef]) -> EventRef {
        self.event(thread, op, Some(object), Pick::Partners(partners.to_vec()))
    }

    /// The completion of calls on an object.
    pub fn completes(&mut self, object: usize, op: Op, calls: &[EventRef]) -> EventRef {
        self.event(object, op, Some(object), Pick::Partners(calls.to_vec()))
    }

    /// A call and its completion.
    pub fn calls(&mut self, thread: usize, op: Op, object: usize) -> [EventRef; 2] {
        let call = self.does(thread, op, object);
        [call, self.completes(object, op, &[call])]
    }

    pub fn after(&mut self, event: EventRef, earlier: &[EventRef]) {
        self.processes[event.process].events[event.index].after.extend(earlier);
    }

    pub fn empty(&mut self, event: EventRef, objects: &[usize]) {
        self.processes[event.process].events[event.index].empty.extend(objects);
    }

    pub fn at(&mut self, event: EventRef, file: &str, line: u32, column: u32) {
        let location = Location { file: file.to_owned(), line, column };
        self.processes[event.process].events[event.index].location = Some(location);
    }

    pub fn events_of(&self, process: usize) -> usize {
        self.processes[process].events.len()
    }

    pub fn finish(self) -> Sequence {
        Sequence::from_processes(self.processes).unwrap()
    }
}

/// A writer that waits keeps out a reader: `main` reads, `writer` and then `reader` call for the lock, and get it in that
/// order.
pub fn waiting_writer() -> Sequence {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    let [writer, reader] = [(1, "writer"), (2, "reader")]
        .map(|(n, name)| build.named(&format!("main/thread{n}"), Kind::Thread, name));
    let flag = build.process("main/atomic1", Kind::Atomic);
    let lock = build.process("main/rwlock1", Kind::RwLock);
    build.calls(main, Op::Read, lock);
    build.calls(writer, Op::Store, flag);
    let write = build.does(writer, Op::Write, lock);
    let read = build.does(reader, Op::Read, lock);
    build.completes(lock, Op::Block, &[write, read]);
    build.calls(main, Op::UnlockRead, lock);
    build.completes(lock, Op::Write, &[write]);
    build.calls(writer, Op::Unlock, lock);
    build.completes(lock, Op::Read, &[read]);
    build.finish()
}

/// A select over channels that share a timeline: `main` offers to take from `bounded1`, to put into `bounded2` and to
/// to meet another thread, which first asks and then arrives.
pub fn select() -> Sequence {
    let mut build = Build::default();
    let [main, other] = build.threads(["main", "main/thread1"]);
    let [one, two] = ["main/bounded1", "main/bounded2"].map(|id| build.process(id, Kind::Bounded));
    let meeting = build.process("main/rendezvous1", Kind::Rendezvous);
    build.event(main, Op::Select, None, Pick::None);
    let meet = build.does(main, Op::OfferTake, meeting);
    build.does(main, Op::OfferTake, one);
    build.does(main, Op::OfferPut, two);
    build.event(other, Op::Select, None, Pick::None);
    let ask = build.does(other, Op::ReadyPut, meeting);
    build.does(other, Op::OfferTimeout, meeting);
    build.event(one, Op::ReadyPut, Some(meeting), Pick::Partners(vec![ask, meet]));
    let put = build.does(other, Op::Put, meeting);
    build.event(one, Op::OfferTake, Some(meeting), Pick::Partners(vec![put, meet]));
    let put = build.does(main, Op::Put, two);
    build.event(one, Op::Put, Some(two), Pick::Partners(vec![put]));
    build.event(other, Op::Select, None, Pick::None);
    build.does(other, Op::OfferTake, one);
    build.does(other, Op::OfferTake, meeting);
    build.finish()
}

/// Listing 7.1 as Example 1 executes it: Thread1 sends to Thread2 and Thread4 to Thread3, on C1 and then on C2.
pub fn listing_7_1() -> Sequence {
    let mut build = Build::default();
    let threads =
        [1, 2, 3, 4].map(|n| build.named(&format!("main/thread{n}"), Kind::Thread, &format!("Thread{n}")));
    for n in [1, 2] {
        let mailbox = build.named(&format!("main/rendezvous{n}"), Kind::Rendezvous, &format!("C{n}"));
        for (sender, receiver) in [(threads[0], threads[1]), (threads[3], threads[2])] {
            let put = build.does(sender, Op::Put, mailbox);
            let take = build.does(receiver, Op::Take, mailbox);
            build.completes(mailbox, Op::Take, &[put, take]);
        }
    }
    build.finish()
}
