#[insyn::instrument(imports(crate::Condvar))]
mod given_to_macros {
    use super::*;

    cfg_if! {
        if #[cfg(unix)] {
            struct Mutex;
            use std::sync::RwLock;
        }
    }

    fn f(own: Mutex, shared: &RwLock<u8>, said_to_be_own: Condvar) {}
}
