#[insyn::instrument(skip, imports(std::thread))]
fn f() {}

fn main() {}
