//! The textbook's bounded buffer, as in `targets/textbook-buffer`, but with guards and updates that are methods, so that
//! tools which do not look into macros find mutants in them too.

#[insyn::instrument]
pub mod buffer {
    //! A server accepts a deposit while there is room, and a withdrawal while there is an item. One producer deposits, one
    //! consumer withdraws.

    use std::thread;

    use insyn::sync::{Entry, entry};

    /// Slots that are used in a circle.
    struct Buffer {
        capacity: i32,
        slots: Vec<char>,
        next_in: i32,
        next_out: i32,
        full_slots: i32,
    }

    impl Buffer {
        fn new(capacity: i32) -> Self {
            let slots = vec![' '; capacity as usize];
            Buffer { capacity, slots, next_in: 0, next_out: 0, full_slots: 0 }
        }

        fn may_deposit(&self) -> bool {
            self.full_slots < self.capacity
        }

        fn deposit(&mut self, item: char) {
            self.slots[self.next_in as usize] = item;
            self.next_in = (self.next_in + 1) % self.capacity;
            self.full_slots += 1;
        }

        fn may_withdraw(&self) -> bool {
            self.full_slots > 0
        }

        fn withdraw(&mut self) -> char {
            let item = self.slots[self.next_out as usize];
            self.next_out = (self.next_out + 1) % self.capacity;
            self.full_slots -= 1;
            item
        }
    }

    /// Serves deposits and withdrawals until nobody can call any more.
    fn serve(capacity: i32, deposit: &Entry<char, ()>, withdraw: &Entry<(), char>) {
        let mut buffer = Buffer::new(capacity);
        loop {
            insyn::select! {
                accept(deposit) -> mut call if buffer.may_deposit() => {
                    buffer.deposit(call.take().expect("a call has an item"));
                    call.reply(());
                },
                accept(withdraw) -> call if buffer.may_withdraw() => {
                    call.reply(buffer.withdraw());
                },
                closed => return,
            }
        }
    }

    /// Deposits items through a buffer with so many slots. Output: what the consumer got, in order.
    pub fn transfer(capacity: i32, items: Vec<char>) -> Vec<char> {
        let (deposit, deposits) = entry();
        let (withdraw, withdrawals) = entry();
        let count = items.len();
        let server = thread::spawn(move || serve(capacity, &deposits, &withdrawals));
        let producer = thread::spawn(move || {
            for item in items {
                deposit.call(item).expect("the server is there while it can be called");
            }
        });
        let mut withdrawn = Vec::new();
        for _ in 0..count {
            withdrawn.push(withdraw.call(()).expect("the server is there while it can be called"));
        }
        producer.join().expect("the producer ends");
        drop(withdraw);
        server.join().expect("the server ends when nobody can call it any more");
        withdrawn
    }
}
