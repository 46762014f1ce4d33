#[insyn::instrument(path = "files/no_rust.rs")]
mod no_rust {}

fn main() {}
