#[insyn::instrument]
mod pools {
    use std::sync::Mutex;

    static ONE: Mutex<u32> = Mutex::new(1);
    pub static ALL: &[&Mutex<u32>] = &[&ONE];
    pub const FIRST: &Mutex<u32> = &ONE;
}

fn main() {}
