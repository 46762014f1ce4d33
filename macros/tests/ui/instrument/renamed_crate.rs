#[insyn::instrument]
mod shop {
    use channel::Receiver;

    pub fn open() -> Receiver<u32> {
        channel::unbounded().1
    }
}

fn main() {}
