#[insyn::instrument(seed = 3)]
fn f() {}

fn main() {}
