#[insyn::instrument]
mod scoped {
    use crossbeam::thread;
    use crossbeam_utils::sync::{Parker, WaitGroup};
}

fn main() {}
