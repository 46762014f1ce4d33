//! Producers and a consumer that share a queue under one lock.

mod prod_cons;

pub use prod_cons::{Consumed, prod_cons};
