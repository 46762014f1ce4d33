#[insyn::instrument]
macro_rules! lock {
    () => {
        std::sync::Mutex::new(0)
    };
}

fn main() {}
