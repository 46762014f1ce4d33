#[insyn::instrument(path = "files/circle.rs")]
fn circle() {}

fn main() {}
