#[insyn::instrument]
mod shadows {
    mod thread {
        pub fn spawn() {}
    }
    struct Mutex(u8);
    fn own() {
        thread::spawn();
        let lock = Mutex::new(0);
        let std = 1;
        std + 1;
    }

    mod deeper {
        mod std {
            pub mod thread {}
        }
        fn f() {
            std::thread::spawn(|| ());
            ::std::thread::spawn(|| ());
            self::std::thread::spawn(|| ());
        }
    }

    fn local() {
        mod std {
            pub mod sync {}
        }
        let lock = std::sync::Mutex::new(0);
        macro_rules! thread_local {
            () => {};
        }
        thread_local! {}
    }

    fn generic<std: Trait>() {
        std::thread::spawn();
    }
}
