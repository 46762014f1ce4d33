#[insyn::instrument("server.rs")]
mod server {}

fn main() {}
