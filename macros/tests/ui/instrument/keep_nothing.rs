#[insyn::instrument(keep(std::collections::BTreeMap))]
fn f() {}

fn main() {}
