#[insyn::instrument]
extern crate std as real;

fn main() {}
