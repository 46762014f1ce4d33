#[insyn::instrument]
mod many {
    pub fn run() {
        let _ = std::sync::mpmc::channel::<u32>();
    }
}

fn main() {}
