#[insyn::instrument(path = "files/twice.rs")]
mod twice {}

fn main() {}
