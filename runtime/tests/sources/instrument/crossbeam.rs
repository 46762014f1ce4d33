//! A program for crossbeam's channels.

use insyn::explore;

#[insyn::instrument]
mod broker {
    use std::thread;
    use std::time::Duration;

    use crossbeam_channel::{self as channel, Receiver, Sender, select};

    fn forward(news: Receiver<u32>, stop: Receiver<()>, subscribers: Vec<Sender<u32>>) -> u32 {
        let mut forwarded = 0;
        loop {
            select! {
                recv(news) -> item => match item {
                    Ok(item) => {
                        for subscriber in &subscribers {
                            subscriber.send(item).unwrap();
                        }
                        forwarded += 1;
                    }
                    Err(crossbeam_channel::RecvError) => break forwarded,
                },
                recv(stop) -> _ => break forwarded,
            }
        }
    }

    pub(super) fn run() -> (u32, Vec<u32>) {
        let (publish, news) = channel::unbounded();
        let (stop, stopped) = channel::bounded(1);
        let (subscriber, inbox) = channel::unbounded();
        let broker = thread::spawn(move || forward(news, stopped, vec![subscriber]));
        publish.send(1).unwrap();
        stop.send(()).unwrap();
        select! {
            recv(inbox) -> first => assert!(matches!(first, Ok(1) | Err(crossbeam_channel::RecvError))),
            default(Duration::from_millis(10)) => publish.send(2).unwrap_or_default(),
        }
        let forwarded = broker.join().unwrap();
        (forwarded, inbox.iter().collect())
    }
}

#[test]
fn a_broker_forwards_or_stops() {
    let found = explore(|| {
        let (forwarded, inbox) = broker::run();
        assert!(forwarded as usize >= inbox.len());
    });
    found.assert_ok();
    assert!(found.sequences >= 2, "{found}");
}

/// A crate that re-exports channels under its own name.
mod shim {
    #[expect(unused_imports, reason = "the instrumented program uses the mirror")]
    pub(super) use std::sync::mpsc as channels;
}

#[insyn::instrument(imports(std::thread), reexports(crate::instrument::crossbeam::shim::channels = std::sync::mpsc))]
fn through_a_shim() -> u32 {
    let (tx, rx) = crate::instrument::crossbeam::shim::channels::channel();
    thread::spawn(move || tx.send(3).unwrap());
    rx.recv().unwrap()
}

#[test]
fn a_shim_is_seen_through() {
    explore(|| assert_eq!(through_a_shim(), 3)).assert_ok();
}
