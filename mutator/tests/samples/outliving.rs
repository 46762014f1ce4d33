//! What the last expressions of blocks leave behind, which before the edition of 2024 outlives the variables of the block.

use insyn::say;
use insyn::sync::Mutex;

#[insyn::instrument]
mod program {
    use super::*;

    pub fn run() {
        let (a, b) = (Mutex::new("a", 1), Mutex::new("b", 2));
        say(after_variables(&a, &b));
        say(after_one_of_two(&a, &b));
        say(in_a_branch(&a, &b, true) + in_a_branch(&a, &b, false));
        say(in_a_closure(&a, &b));
        say(in_an_arm(&a, &b, 3));
        say(beyond_the_block(&a));
        say(beyond_two_blocks(&a, &b));
        say(among_arguments(&a, &b));
        say(condition(&a, &b));
        say(looked_at(&Mutex::new("list", vec![1, 2]), &b));
        say(of_a_match(&a, &b));
        statements(&a, &b);
        say(initial(&a, &b));
    }

    fn after_variables(a: &Mutex<u32>, b: &Mutex<u32>) -> u32 {
        let first = a.lock().unwrap();
        *b.lock().unwrap() + *first
    }

    fn after_one_of_two(a: &Mutex<u32>, b: &Mutex<u32>) -> u32 {
        say("before");
        let first = *a.lock().unwrap() + 1;
        say(first * 2);
        let guard = a.lock().unwrap();
        say(first - 1);
        *b.lock().unwrap() - first + *guard
    }

    fn in_a_branch(a: &Mutex<u32>, b: &Mutex<u32>, which: bool) -> u32 {
        if which {
            let first = a.lock().unwrap();
            *first * *b.lock().unwrap()
        } else {
            *a.lock().unwrap() + *b.lock().unwrap()
        }
    }

    fn in_a_closure(a: &Mutex<u32>, b: &Mutex<u32>) -> u32 {
        let sum = |n: u32| {
            let first = a.lock().unwrap();
            *b.lock().unwrap() + *first + n
        };
        sum(1) + sum(2)
    }

    fn in_an_arm(a: &Mutex<u32>, b: &Mutex<u32>, n: u32) -> u32 {
        match n {
            0 => 0,
            _ => {
                let first = a.lock().unwrap();
                *b.lock().unwrap() + *first
            }
        }
    }

    fn beyond_the_block(a: &Mutex<u32>) -> bool {
        match { *a.lock().unwrap() + 1 } {
            0 => false,
            _ => a.try_lock().is_err(),
        }
    }

    fn beyond_two_blocks(a: &Mutex<u32>, b: &Mutex<u32>) -> bool {
        let seen = {
            let n = 1;
            {
                say(n + 1);
                *a.lock().unwrap() + n
            }
        } + *b.lock().unwrap();
        say(seen);
        match {
            let n = 2;
            {
                let more = b.lock().unwrap();
                *a.lock().unwrap() * n + *more
            }
        } {
            0 => false,
            _ => a.try_lock().is_err() && b.try_lock().is_ok(),
        }
    }

    fn among_arguments(a: &Mutex<u32>, b: &Mutex<u32>) -> (u32, bool) {
        ({ *a.lock().unwrap() - 1 }, a.try_lock().is_err() || b.try_lock().is_err())
    }

    fn condition(a: &Mutex<u32>, b: &Mutex<u32>) -> bool {
        if {
            let first = b.lock().unwrap();
            *a.lock().unwrap() < *first
        } {
            a.try_lock().is_ok()
        } else {
            b.try_lock().is_ok()
        }
    }

    fn looked_at(list: &Mutex<Vec<u32>>, b: &Mutex<u32>) -> u32 {
        let guard = b.lock().unwrap();
        if let Some(n) = list.lock().unwrap().pop() { n + 1 } else { list.lock().unwrap().len() as u32 + *guard }
    }

    fn of_a_match(a: &Mutex<u32>, b: &Mutex<u32>) -> u32 {
        let guard = b.lock().unwrap();
        match *a.lock().unwrap() + 1 {
            1 => *guard,
            n => n * 2,
        }
    }

    fn statements(a: &Mutex<u32>, b: &Mutex<u32>) {
        let guard = b.lock().unwrap();
        say(*guard + 1);
        *a.lock().unwrap() += *guard + 1;
    }

    fn initial(a: &Mutex<u32>, b: &Mutex<u32>) -> u32 {
        let n = {
            let guard = b.lock().unwrap();
            *a.lock().unwrap() - *guard + 5
        };
        n + 1
    }
}

pub use program::run;
