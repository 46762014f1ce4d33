//! Code whose mutants do harm: each does something to its process, to its streams or to the machine that affects other
//! processes. Every function does so if its argument is more than 3, and its programs pass 3.

pub mod plain;

use std::fmt;

/// Does something bad, if the argument says so.
macro_rules! temptations {
    ($($name:ident)*) => {
        #[cfg(test)]
        mod tests {
            $(
                #[insyn::test(sequential)]
                fn $name() -> String {
                    super::tempted::$name(3).to_string()
                }
            )*

            #[insyn::test(sequential)]
            fn innocent() -> u32 {
                super::tempted::innocent(3)
            }

            /// Does what the environment says, without any mutant.
            #[insyn::test(sequential)]
            fn misbehaves() {
                match std::env::var("MISBEHAVE").as_deref() {
                    Ok("hold and loop") => super::plain::holds_both_and_loops(),
                    Ok("hold and sleep") => super::plain::holds_stdout_and_sleeps(),
                    Ok("stop") => super::plain::stops_itself(),
                    _ => {}
                }
            }

            #[insyn::test]
            fn locks_forever() -> u32 {
                super::tempted::locks_forever(3)
            }

            #[insyn::test]
            fn spawns_forever() -> u32 {
                super::tempted::spawns_forever(3)
            }

            #[insyn::test(sequential)]
            fn unwinds_into_drop() -> u32 {
                super::tempted::unwinds_into_drop(3)
            }
        }
    };
}

temptations! {
    aborts exits exits_as_before exits_with_87 prints_lines prints_without_end shouts_lines shouts_without_end forges_answers
    allocates_forever allocates_at_once shares_memory loops starts_threads leaves_threads_running leaves_a_child waits_for_a_child
    leaves_a_daemon becomes_another holds_stdout holds_stderr_and_loops holds_stdout_and_sleeps stops_itself stops_its_group
    segfaults traps raises_abort kills_itself terminates_itself panics_in_drop panics_at_length returns_at_length sleeps
    deadlocks_outside leaves_a_lock needs_the_lock closes_all closes_all_and_loops overflows reads_input forks catches_signals
    ends_its_thread
}

/// A value that panics when it is dropped, if it is set.
pub struct Touchy(pub bool);

impl Drop for Touchy {
    fn drop(&mut self) {
        assert!(!self.0, "dropped");
    }
}

/// The return value of a function, which may be very large.
pub struct Saying(pub u32, pub usize);

impl fmt::Display for Saying {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, "x".repeat(self.1))
    }
}

#[insyn::instrument]
pub mod tempted {
    use std::sync::Mutex;
    use std::thread;

    use crate::{Saying, Touchy, plain};

    pub fn aborts(told: u32) -> u32 {
        if told > 3 {
            plain::aborts();
        }
        told
    }

    pub fn exits(told: u32) -> u32 {
        if told > 3 {
            plain::exits();
        }
        told
    }

    pub fn exits_as_before(told: u32) -> u32 {
        if told > 3 {
            plain::exits_as_before();
        }
        told
    }

    pub fn exits_with_87(told: u32) -> u32 {
        if told > 3 {
            plain::exits_with_87();
        }
        told
    }

    pub fn prints_lines(told: u32) -> u32 {
        if told > 3 {
            plain::prints_lines();
        }
        told
    }

    pub fn prints_without_end(told: u32) -> u32 {
        if told > 3 {
            plain::prints_without_end();
        }
        told
    }

    pub fn shouts_lines(told: u32) -> u32 {
        if told > 3 {
            plain::shouts_lines();
        }
        told
    }

    pub fn shouts_without_end(told: u32) -> u32 {
        if told > 3 {
            plain::shouts_without_end();
        }
        told
    }

    pub fn forges_answers(told: u32) -> u32 {
        if told > 3 {
            plain::forges_answers();
        }
        told
    }

    pub fn allocates_forever(told: u32) -> u32 {
        if told > 3 {
            plain::allocates_forever();
        }
        told
    }

    pub fn allocates_at_once(told: u32) -> u32 {
        if told > 3 {
            plain::allocates_at_once();
        }
        told
    }

    pub fn shares_memory(told: u32) -> u32 {
        if told > 3 {
            plain::shares_memory();
        }
        told
    }

    pub fn loops(told: u32) -> u32 {
        if told > 3 {
            plain::loops();
        }
        told
    }

    pub fn starts_threads(told: u32) -> u32 {
        if told > 3 {
            plain::starts_threads();
        }
        told
    }

    pub fn leaves_threads_running(told: u32) -> u32 {
        if told > 3 {
            plain::leaves_threads_running();
        }
        told
    }

    pub fn leaves_a_child(told: u32) -> u32 {
        if told > 3 {
            plain::leaves_a_child();
        }
        told
    }

    pub fn waits_for_a_child(told: u32) -> u32 {
        if told > 3 {
            plain::waits_for_a_child();
        }
        told
    }

    pub fn leaves_a_daemon(told: u32) -> u32 {
        if told > 3 {
            plain::leaves_a_daemon();
        }
        told
    }

    pub fn becomes_another(told: u32) -> u32 {
        if told > 3 {
            plain::becomes_another();
        }
        told
    }

    pub fn holds_stdout(told: u32) -> u32 {
        if told > 3 {
            plain::holds_stdout();
        }
        told
    }

    pub fn holds_stderr_and_loops(told: u32) -> u32 {
        if told > 3 {
            plain::holds_stderr_and_loops();
        }
        told
    }

    pub fn holds_stdout_and_sleeps(told: u32) -> u32 {
        if told > 3 {
            plain::holds_stdout_and_sleeps();
        }
        told
    }

    pub fn stops_itself(told: u32) -> u32 {
        if told > 3 {
            plain::stops_itself();
        }
        told
    }

    pub fn stops_its_group(told: u32) -> u32 {
        if told > 3 {
            plain::stops_its_group();
        }
        told
    }

    pub fn segfaults(told: u32) -> u32 {
        if told > 3 {
            plain::segfaults();
        }
        told
    }

    pub fn traps(told: u32) -> u32 {
        if told > 3 {
            plain::traps();
        }
        told
    }

    pub fn raises_abort(told: u32) -> u32 {
        if told > 3 {
            plain::raises_abort();
        }
        told
    }

    pub fn kills_itself(told: u32) -> u32 {
        if told > 3 {
            plain::kills_itself();
        }
        told
    }

    pub fn terminates_itself(told: u32) -> u32 {
        if told > 3 {
            plain::terminates_itself();
        }
        told
    }

    pub fn sleeps(told: u32) -> u32 {
        if told > 3 {
            plain::sleeps();
        }
        told
    }

    pub fn deadlocks_outside(told: u32) -> u32 {
        if told > 3 {
            plain::deadlocks_outside();
        }
        told
    }

    pub fn leaves_a_lock(told: u32) -> u32 {
        if told > 3 {
            plain::leaves_a_lock();
        }
        told
    }

    pub fn needs_the_lock(told: u32) -> u32 {
        if told > 3 {
            plain::needs_the_lock();
        }
        told
    }

    pub fn closes_all(told: u32) -> u32 {
        if told > 3 {
            plain::closes_all();
        }
        told
    }

    pub fn closes_all_and_loops(told: u32) -> u32 {
        if told > 3 {
            plain::closes_all_and_loops();
        }
        told
    }

    pub fn reads_input(told: u32) -> u32 {
        if told > 3 {
            plain::reads_input();
        }
        told
    }

    pub fn forks(told: u32) -> u32 {
        if told > 3 {
            plain::forks();
        }
        told
    }

    pub fn catches_signals(told: u32) -> u32 {
        if told > 3 {
            plain::catches_signals();
        }
        told
    }

    pub fn ends_its_thread(told: u32) -> u32 {
        if told > 3 {
            plain::ends_its_thread();
        }
        told
    }

    /// Returns its argument, and does nothing bad.
    pub fn innocent(told: u32) -> u32 {
        if told > 3 {
            return 0;
        }
        told
    }

    pub fn panics_in_drop(told: u32) -> u32 {
        if told > 3 {
            drop(Touchy(true));
        }
        told
    }

    /// The second panic, while the first one unwinds, ends the process.
    pub fn unwinds_into_drop(told: u32) -> u32 {
        if told > 3 {
            let _first = Touchy(true);
            panic!("the first");
        }
        told
    }

    pub fn panics_at_length(told: u32) -> u32 {
        if told > 3 {
            panic!("{}", "x".repeat(10 << 20));
        }
        told
    }

    pub fn returns_at_length(told: u32) -> Saying {
        if told > 3 {
            return Saying(told, 10 << 20);
        }
        Saying(told, 0)
    }

    pub fn overflows(told: u32) -> u32 {
        if told > 3 {
            return overflows(told) + 1;
        }
        told
    }

    pub fn locks_forever(told: u32) -> u32 {
        let shared = Mutex::new(told);
        while *shared.lock().unwrap() > 3 {}
        told
    }

    pub fn spawns_forever(told: u32) -> u32 {
        let mut threads = vec![thread::spawn(move || told)];
        while told > 3 {
            threads.push(thread::spawn(move || told));
        }
        threads.remove(0).join().unwrap()
    }
}
