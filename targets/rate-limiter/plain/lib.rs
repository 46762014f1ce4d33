//! Permits that are handed out at a fixed rate.

pub mod limiter {
    //! Permits are reserved ahead: each one has a time from which on it is good, and who got it sleeps until then. So
    //! nobody waits in a queue, and the order of permits is that of the reservations.

    use std::fmt;
    use std::sync::{Mutex, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Hands out one permit in each interval. Shared by reference.
    #[derive(Debug)]
    pub struct Limiter {
        interval: Duration,
        /// The first time that no permit has been reserved for.
        next: Mutex<Instant>,
    }

    impl Limiter {
        /// A limiter whose first permit is good at once.
        pub fn new(interval: Duration) -> Self {
            Limiter { interval, next: Mutex::new(Instant::now()) }
        }

        /// Waits for a permit.
        pub fn acquire(&self) -> Permit {
            let permit = self.reserve(None);
            permit.wait_for_it();
            permit
        }

        /// Waits for a permit, unless it would take longer than `patience`; then it does not wait at all.
        ///
        /// # Errors
        /// If it would take longer.
        pub fn acquire_within(&self, patience: Duration) -> Result<Permit, TooBusy> {
            let permit = self.reserve(Some(patience));
            if permit.wait() > patience {
                return Err(TooBusy { wait: permit.wait() });
            }
            permit.wait_for_it();
            Ok(permit)
        }

        /// Says when the next permit is good, and reserves it if that is soon enough.
        fn reserve(&self, patience: Option<Duration>) -> Permit {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let permit = Permit { asked: Instant::now(), good_from: (*next).max(Instant::now()) };
            if patience.is_none_or(|patience| permit.wait() <= patience) {
                *next = permit.good_from + self.interval;
            }
            permit
        }
    }

    /// The right to do something once.
    #[derive(Clone, Copy, Debug)]
    pub struct Permit {
        asked: Instant,
        good_from: Instant,
    }

    impl Permit {
        /// From when on it is good.
        pub fn good_from(&self) -> Instant {
            self.good_from
        }

        /// How long that was away when it was asked for.
        fn wait(&self) -> Duration {
            self.good_from.duration_since(self.asked)
        }

        fn wait_for_it(&self) {
            thread::sleep(self.wait());
        }
    }

    /// There is no permit within the time that was given.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TooBusy {
        /// How long it would have taken.
        pub wait: Duration,
    }

    impl fmt::Display for TooBusy {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "too busy: there is no permit for another {:?}", self.wait)
        }
    }

    impl std::error::Error for TooBusy {}
}
