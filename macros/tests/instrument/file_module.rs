#[insyn::instrument(path = "../tests/instrument/files/server.rs")]
#[cfg(test)]
pub mod server {}
