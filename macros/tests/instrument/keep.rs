#[insyn::instrument(keep(std::sync::Arc, std::sync::Weak, core::hint))]
mod keep {
    use std::sync::{Arc, Mutex};
    use std::sync;
    use std::hint::spin_loop;

    trait Run {
        fn run(self: Arc<Self>);
    }

    fn f() {
        let shared: Arc<dyn Run> = Arc::new(Task);
        let other = sync::Arc::new(sync::Mutex::new(0));
        spin_loop();
    }

    mod glob {
        use std::sync::*;
        fn f() -> Weak<Mutex<u8>> {
            Arc::downgrade(&Arc::new(Mutex::new(0)))
        }
    }
}
