#[insyn::instrument(path = "files/refused.rs")]
mod refused {}

fn main() {}
