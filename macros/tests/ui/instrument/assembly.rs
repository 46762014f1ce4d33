#[insyn::instrument]
fn halt() {
    unsafe { std::arch::asm!("nop") }
}

fn main() {}
