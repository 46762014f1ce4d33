#[insyn::instrument(path = "path_to_itself.rs")]
mod path_to_itself {}

fn main() {}
