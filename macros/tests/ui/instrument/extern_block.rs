#[insyn::instrument]
unsafe extern "C" {
    fn abort() -> !;
}

fn main() {}
