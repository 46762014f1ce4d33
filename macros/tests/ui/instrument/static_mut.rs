#[insyn::instrument]
mod counter {
    pub static mut COUNT: u32 = 0;
}

fn main() {}
