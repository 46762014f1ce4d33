mod switches {
    use ::insyn::std::sync::Mutex;
    use ::insyn::std::thread;
    struct Account {
        balance: Mutex<u32>,
    }
    /// As the mutants of a campaign are compiled in: what was written, and what a mutant makes, is named; the rest is not.
    fn run() {
        let worker = (if ::insyn::mutation::is(1u32) {
            work()
        } else if ::insyn::mutation::is(2u32) {
            ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["worker"]),
                thread::spawn(rest),
            )
        } else {
            ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["worker"]),
                thread::spawn(work),
            )
        });
        let account = Account {
            balance: (if ::insyn::mutation::is(3u32) {
                ::insyn::macro_support::named(
                    ::insyn::macro_support::naming(&["balance"]),
                    Mutex::default(),
                )
            } else {
                ::insyn::macro_support::named(
                    ::insyn::macro_support::naming(&["balance"]),
                    Mutex::new(0),
                )
            }),
        };
        let either = if account.is_open() {
            thread::spawn(work)
        } else {
            thread::spawn(rest)
        };
    }
}
