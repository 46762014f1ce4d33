#[insyn::instrument(import(std::sync::Mutex))]
fn f() {}

fn main() {}
