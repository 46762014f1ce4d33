#[insyn::instrument(path = "files/nowhere.rs")]
mod nowhere {}

fn main() {}
