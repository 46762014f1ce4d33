macro_rules! make {
    () => {};
}

#[insyn::instrument]
make! {}

fn main() {}
