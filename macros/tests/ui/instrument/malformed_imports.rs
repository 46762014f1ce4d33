#[insyn::instrument(imports = "std::thread")]
fn f() {}

fn main() {}
