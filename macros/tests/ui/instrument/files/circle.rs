#[path = "square.rs"]
mod square;
