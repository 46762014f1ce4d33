#[insyn::instrument]
mod scoped {
    use crossbeam::thread;
    use crossbeam_utils::sync::WaitGroup;
}

fn main() {}
