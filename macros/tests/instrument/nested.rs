#[insyn::instrument]
mod nested {
    use std::sync::Arc;
    use std::thread as threads;

    struct Mutex;

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn works() {
            let shared = Arc::new(1);
            let own = Mutex::new();
            threads::spawn(|| ());
            let unrelated = Sender::new();
        }
    }

    fn f() {
        if let Some(channel) = next() && channel(1) {
            channel(2);
        }
        for spawn in all {
            spawn(1);
        }
        while let Some(park) = next() {
            park();
        }
        let sleep = match a {
            Some(scope) if scope(1) => scope(2),
            _ => return,
        };
        sleep(1);
    }
}
