use std::thread;

static mut COUNT: u32 = 0;

fn f() {
    thread::spawn(|| unsafe { std::arch::asm!("nop") });
}

pub const LOCK: std::sync::Mutex<u32> = std::sync::Mutex::new(0);

pub struct Queue(std::sync::Mutex<u32>);

impl Queue {
    pub const EMPTY: Option<Self> = std::option::Option::Some(Queue::new());

    pub const fn new() -> Self {
        Queue(std::sync::Mutex::new(0))
    }
}
