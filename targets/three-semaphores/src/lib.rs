//! Three threads and two semaphores, with twelve possible outputs.

mod three_semaphores;

pub use three_semaphores::three_semaphores;
