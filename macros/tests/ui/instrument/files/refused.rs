use std::thread;

static mut COUNT: u32 = 0;

fn f() {
    thread::spawn(|| unsafe { std::arch::asm!("nop") });
}
