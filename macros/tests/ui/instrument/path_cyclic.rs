#[insyn::instrument(path = "files/circle.rs")]
mod circle {}

fn main() {}
