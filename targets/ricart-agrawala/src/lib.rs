//! Distributed mutual exclusion by asking everybody (Ricart and Agrawala).

mod ricart_agrawala;

pub use ricart_agrawala::{Node, network};
