#[insyn::instrument]
mod tasks {
    use std::pin::Pin;
    use std::sync::Arc;

    pub trait Task {
        fn run(self: Arc<Self>);
        fn poll(self: Pin<&mut Self>);
    }
}

fn main() {}
