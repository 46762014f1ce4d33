#[insyn::instrument(imports(std::thread))]
pub trait Run: Send {
    type Handle: Into<thread::JoinHandle<()>>;

    fn run(&self, lock: &std::sync::Mutex<u8>) -> Self::Handle;

    fn rest(&self) {
        thread::yield_now();
    }
}
