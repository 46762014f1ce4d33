//! Expressions and statements of every kind, in one thread.

#[insyn::instrument]
mod program {
    use insyn::{fuel, say};

    pub fn run() {
        say(arithmetic(7, 3));
        say(logic(true, 4, 9));
        say(bits(0b1100, 0b1010));
        say(loops(5));
        say(matches(3));
        say(labels(4));
        say(branches(Some(2), 5));
        say(places());
        say(closures(3));
        say(chain(&[3, 1, 2]));
        say(results("12").unwrap_or(-1));
        say(Shape::Square { side: 3 }.area());
        say(signs(-3, 2));
        nothing(&mut 5);
        say(declared(2));
    }

    fn arithmetic(a: u8, b: u8) -> u8 {
        let c = a + b * 2 - a % b;
        let mut d = c / 2;
        d += a - b;
        d *= 2;
        d
    }

    fn logic(flag: bool, low: u8, high: u8) -> bool {
        let both = flag && low < high || !flag;
        both || low as u16 >= high as u16 && high != 9
    }

    fn bits(a: u8, b: u8) -> u8 {
        let mut c = (a & b) | (a ^ b) << 1;
        c >>= 1;
        c ^= b;
        c
    }

    fn loops(n: u8) -> u8 {
        let mut sum = 0;
        for i in 0..n {
            // insyn: skip all: the program must end
            fuel();
            if i == 3 {
                continue;
            }
            sum += i;
        }
        let mut i = 0u8;
        while i < n && sum > 0 {
            // insyn: skip all: the program must end
            fuel();
            i += 1;
            if i + 1 == n {
                break;
            }
            sum -= 1;
        }
        for _ in (0..=n).rev() {
            sum += 1;
        }
        sum
    }

    fn matches(n: u8) -> &'static str {
        match n {
            0 => "none",
            1 | 2 => "few",
            n if n > 2 && n < 9 => "some",
            _ => "many",
        }
    }

    fn labels(n: u8) -> u8 {
        let mut count = 0;
        'outer: loop {
            // insyn: skip all: the program must end
            fuel();
            for i in 0..n {
                if i == 2 && count < 3 {
                    count += 1;
                    continue 'outer;
                }
                if count >= 3 {
                    break 'outer;
                }
            }
        }
        let found = 'search: {
            if count == 3 {
                break 'search 7;
            }
            1
        };
        count + found
    }

    fn branches(a: Option<u8>, b: u8) -> u8 {
        let Some(first) = a else { return 0 };
        if let Some(second) = a
            && second < b
            && b > 1
        {
            say(second);
        }
        let c = if first > b { first } else if first + 1 == 3 { 9 } else { b };
        if c == 9 {
            say("nine");
        } else {
            say("other");
        }
        c
    }

    fn places() -> Vec<u8> {
        let mut list = vec![1, 2, 3];
        list[0] = list[1 + 1] + 1;
        *list.last_mut().unwrap() += 1;
        let first = &mut list[0];
        *first -= 1;
        let tail = &list[1..3];
        let mut pair = (tail[0], tail.len() as u8);
        pair.1 = pair.0 + 2;
        list.push(pair.1);
        list.push(format!("{}{}", pair.0 + 1, 2).len() as u8);
        list
    }

    fn closures(n: u8) -> u8 {
        let add = |a: u8| a + n;
        let twice = |a: u8| -> u8 { add(a) * 2 };
        let mut list: Vec<u8> = (0..n).map(|i| i * 2).filter(|i| i % 4 == 0).collect();
        list.push(twice(1));
        list.iter().sum()
    }

    fn chain(list: &[u8]) -> u8 {
        let mut sorted = list.to_vec();
        sorted.sort();
        sorted.dedup();
        match sorted.iter().map(|n| n + 1).max() {
            Some(max) if max > 3 => max - 1,
            Some(max) => max,
            None => 0,
        }
    }

    fn results(text: &str) -> Result<i32, std::num::ParseIntError> {
        let n: i32 = text.parse()?;
        let _ = text.parse::<u8>();
        Ok(n - 2)
    }

    enum Shape {
        Square { side: u8 },
        Line,
    }

    impl Shape {
        fn area(&self) -> u8 {
            match self {
                Shape::Square { side } => side * side,
                Shape::Line => 0,
            }
        }
    }

    fn signs(a: i8, b: i8) -> i8 {
        let c = -a + -1;
        let limit = 100i8;
        if !(c > b) { -limit } else { c.min(limit) }
    }

    fn nothing(n: &mut u8) {
        *n = 3;
        say(*n);
        *n = 4;
        say(*n)
    }

    fn declared(n: u8) -> u8 {
        let range = 0..n;
        const LIMIT: u8 = 3;
        fn inner(n: u8) -> u8 {
            n + 1
        }
        let mut sum = 0;
        for i in range {
            sum += inner(i);
        }
        sum.min(LIMIT)
    }
}

pub use program::run;
