#[insyn::instrument(path(server))]
mod server {}

#[insyn::instrument(path = "")]
mod other {}

fn main() {}
