#[insyn::instrument(keep(std::sync::Arc), keep(std::sync::Weak))]
fn f() {}

fn main() {}
