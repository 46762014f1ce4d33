//! The objects of a random program, and which threads have their handles.

use super::super::program::{Delivery, Holder, Object, Threads};
use super::{Builder, Family};

impl Builder {
    pub(super) fn add_objects(&mut self) {
        match self.family {
            Family::Ports => self.add_ports(1, 2),
            Family::Tangled => {
                for t in 0..self.threads.len() {
                    let all = (1 << self.threads.len()) - 1;
                    let delivery = self.delivery();
                    self.objects.push(Object::Port { delivery, senders: all, receiver: Holder::Thread(t) });
                }
            }
            Family::Handed => self.add_handed(),
            Family::Buffers => {
                self.add_buffer();
                if self.random.chance(30) {
                    self.add_buffer();
                }
            }
            Family::Locks => {
                self.add_lock();
                if self.random.chance(40) {
                    self.add_lock();
                }
            }
            Family::Condvars => self.add_condvar(),
            Family::Semaphores => {
                self.add_semaphore();
                if self.random.chance(40) {
                    self.add_semaphore();
                }
            }
            Family::Entries => {
                self.add_entry();
                if self.random.chance(30) {
                    self.add_entry();
                }
            }
            Family::Selects => self.add_select_arms(),
            Family::Monitors => self.add_monitor(false),
            Family::UrgentMonitors => self.add_monitor(true),
            Family::Nested | Family::Mixed => {
                self.add_any();
                self.add_any();
            }
            Family::Timeouts => {
                for _ in 0..self.random.pick(&[1, 1, 2]) {
                    if self.random.chance(35) { self.add_channel() } else { self.add_buffer() }
                }
            }
            Family::TimedWaits => self.add_condvar(),
            Family::Atomics
            | Family::RwLocks
            | Family::Barriers
            | Family::Onces
            | Family::Parking
            | Family::Pointers
            | Family::Readers => self.add_memory(),
            Family::Carriers | Family::Flows | Family::Crowds | Family::PortChoices | Family::Choices => {
                self.add_flows();
            }
            Family::Jumble => {
                self.add_anything();
                self.add_anything();
            }
            Family::Panics => self.add_risks(),
            Family::Parcels => self.add_parcels(),
            Family::Counts => {
                self.add_pointer();
                self.add_atomic();
            }
            Family::Arms => self.add_arms(),
            Family::Times => self.add_times(),
            Family::WaitGroups => self.add_wait_groups(),
            Family::Looks => self.add_looks(),
        }
        if !self.family.is_first() {
            return;
        }
        let alone = matches!(self.family, Family::Ports | Family::Tangled | Family::Selects | Family::Handed);
        let monitors = matches!(self.family, Family::Monitors | Family::UrgentMonitors);
        if !alone && self.random.chance(if monitors { 60 } else { 40 }) {
            self.add_ports(1, 1);
        } else if !alone && self.random.chance(15) {
            self.add_any();
        }
    }

    pub(super) fn add_any(&mut self) {
        match self.random.below(9) {
            0 => self.add_ports(1, 1),
            1 => self.add_buffer(),
            2 | 3 => self.add_lock(),
            4 => self.add_semaphore(),
            5 => self.add_entry(),
            6 => self.add_condvar(),
            7 => self.add_monitor(false),
            _ => self.add_monitor(true),
        }
    }

    fn add_ports(&mut self, low: usize, high: usize) {
        for _ in 0..self.random.between(low, high) {
            let receiver = self.random.below(self.threads.len());
            let senders = self.senders_to(receiver);
            let delivery = self.delivery();
            self.objects.push(Object::Port { delivery, senders, receiver: Holder::Thread(receiver) });
        }
    }

    /// An `mpsc::channel`.
    pub(super) fn add_channel(&mut self) {
        let receiver = self.random.below(self.threads.len());
        let senders = self.senders_to(receiver);
        let receiver = Holder::Thread(receiver);
        self.objects.push(Object::Port { delivery: Delivery::Channel, senders, receiver });
    }

    fn delivery(&mut self) -> Delivery {
        use Delivery::{Bag, Causal, Channel, Fifo, Mailbox};
        // A monitor orders what is done inside it, which only a causal port shows.
        if matches!(self.family, Family::Monitors | Family::UrgentMonitors) && self.random.chance(50) {
            return Causal;
        }
        self.random.pick(&[Channel, Channel, Channel, Mailbox, Fifo, Causal, Bag])
    }

    /// Some threads, usually others than the receiver, at least one.
    pub(super) fn senders_to(&mut self, receiver: usize) -> Threads {
        let mut senders = 0;
        for t in 0..self.threads.len() {
            let percent = if t == receiver { 15 } else { 75 };
            if self.random.chance(percent) {
                senders |= 1 << t;
            }
        }
        if senders == 0 { 1 << ((receiver + 1) % self.threads.len()) } else { senders }
    }

    fn add_handed(&mut self) {
        let mutex = self.objects.len();
        self.objects.push(Object::Mutex);
        let senders = self.senders_to(self.threads.len());
        let receiver = Holder::Under(mutex);
        let object = match self.random.below(10) {
            0 | 1 => Object::Buffer { capacity: self.random.below(3), senders, receiver },
            _ => Object::Port { delivery: self.delivery(), senders, receiver },
        };
        self.objects.push(object);
        if self.random.chance(25) {
            self.add_ports(1, 1);
        }
    }

    pub(super) fn add_buffer(&mut self) {
        let receiver = self.random.below(self.threads.len());
        let senders = self.senders_to(receiver);
        let capacity = self.random.pick(&[0, 0, 0, 1, 1, 2]);
        self.objects.push(Object::Buffer { capacity, senders, receiver: Holder::Thread(receiver) });
    }

    fn add_lock(&mut self) {
        let reentrant = self.random.chance(50);
        self.objects.push(if reentrant { Object::Reentrant } else { Object::Mutex });
    }

    pub(super) fn add_condvar(&mut self) {
        let mutex = self.objects.len();
        self.objects.push(Object::Mutex);
        self.objects.push(Object::Condvar { mutex });
    }

    pub(super) fn add_semaphore(&mut self) {
        let binary = self.random.chance(50);
        let permits = if binary { usize::from(self.random.chance(70)) } else { self.random.below(3) } as u8;
        self.objects.push(Object::Semaphore { permits, binary });
    }

    fn add_entry(&mut self) {
        let server = self.random.below(self.threads.len());
        let senders = self.senders_to(server) & !(1 << server);
        let senders = if senders == 0 { 1 << ((server + 1) % self.threads.len()) } else { senders };
        self.objects.push(Object::Entry { senders, receiver: Holder::Thread(server) });
    }

    /// Two or three ports and entries of one thread.
    fn add_select_arms(&mut self) {
        let server = self.random.below(self.threads.len());
        for _ in 0..self.random.pick(&[2, 2, 3]) {
            let mut senders = self.senders_to(server) & !(1 << server);
            if senders == 0 {
                senders = 1 << ((server + 1) % self.threads.len());
            }
            let receiver = Holder::Thread(server);
            let entry = self.random.chance(50);
            let delivery = self.delivery();
            self.objects.push(if entry {
                Object::Entry { senders, receiver }
            } else {
                Object::Port { delivery, senders, receiver }
            });
        }
    }

    pub(super) fn add_monitor(&mut self, urgent: bool) {
        let conditions = self.random.between(1, 2);
        self.objects.push(Object::Monitor { urgent, conditions });
    }
}
