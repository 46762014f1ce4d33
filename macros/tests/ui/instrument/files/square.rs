#[insyn::instrument(path = "circle.rs")]
mod circle {}
