pub trait Run: Send {
    type Handle: Into<::insyn::std::thread::JoinHandle<()>>;
    fn run(&self, lock: &::insyn::std::sync::Mutex<u8>) -> Self::Handle;
    fn rest(&self) {
        ::insyn::std::thread::yield_now();
    }
}
