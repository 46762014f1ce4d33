#[insyn::instrument(reexports(flume = flume))]
fn f() {}

#[insyn::instrument(reexports(flume))]
fn g() {}

fn main() {}
