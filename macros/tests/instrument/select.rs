#[insyn::instrument]
mod select {
    use crossbeam_channel::{Receiver, after, select};

    fn f(r: Receiver<u8>, s: crossbeam_channel::Sender<u8>) {
        select! {
            recv(r) -> message => {
                let lock = std::sync::Mutex::new(message);
            }
            recv(after(std::time::Duration::from_secs(1))) -> _ => std::thread::yield_now(),
            send(s, std::thread::panicking() as u8) -> sent => sent.unwrap(),
            default(std::time::Duration::MAX) => {}
        }
        crossbeam_channel::select_biased! {
            recv(r) -> _ => (),
        }
        crossbeam::select! { default => () }
        insyn::select! {
            recv(r) -> m if std::thread::panicking() => m,
            closed => std::thread::park(),
        }
    }
}
