#[insyn::instrument(imports(std::sync::mpsc))]
impl Builder {
    const WAIT: std::time::Duration = std::time::Duration::from_secs(1);

    fn build(self) -> (Builder, mpsc::Receiver<u8>) {
        let (tx, rx) = mpsc::channel();
        std::thread::spawn(move || tx.send(1));
        (Builder::default(), rx)
    }

    #[insyn::instrument(skip)]
    fn real() -> std::sync::Mutex<u8> {
        std::sync::Mutex::new(0)
    }
}
