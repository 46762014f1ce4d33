#[insyn::instrument(imports(std::sync::{Mutex, mpsc}, crate::Condvar))]
mod imports_of_a_module {
    use super::*;

    fn f(own: &Condvar) -> Mutex<u8> {
        let (tx, rx) = mpsc::channel();
        format!("{:?}", mpsc::channel::<u8>());
        super::Mutex::new(0)
    }
}
