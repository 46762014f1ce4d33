//! Modules in files of their own, and places in them.

use insyn::explore;

#[insyn::instrument(path = "server.rs")]
mod server {}

insyn::instrumented! {
    #[path = "client.rs"]
    mod client;

    use std::thread;

    fn both() -> u32 {
        let (tx, rx) = std::sync::mpsc::channel();
        let server = thread::spawn(move || server::serve(rx));
        client::ask(&tx, 2);
        client::ask(&tx, 3);
        drop(tx);
        server.join().unwrap()
    }
}

#[test]
fn files_are_instrumented() {
    let found = explore(|| assert_eq!(both(), 5));
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

#[test]
fn operations_know_their_places() {
    explore(|| {
        let (tx, rx) = insyn::std::sync::mpsc::channel::<u32>();
        drop(tx);
        let file = server::here();
        server::serve(rx);
        let place = insyn::macro_support::source_place(file).expect("the server tells it");
        assert!(place.file.ends_with("tests/sources/instrument/files/server.rs"), "{place:?}");
        assert_eq!((place.line, place.column), server::LAST);
        assert_eq!(insyn::macro_support::source_place(std::panic::Location::caller()), None);
    })
    .assert_ok();
}

#[test]
fn sequences_know_the_places_of_files() {
    let execution = insyn::Explorer::new().run(both);
    let events = execution.sequence.processes.iter().flat_map(|process| &process.events);
    let files: std::collections::BTreeSet<&str> = events
        .filter_map(|event| event.location.as_ref())
        .map(|at| at.file.rsplit('/').next().unwrap_or_default())
        .collect();
    assert_eq!(files, ["client.rs", "files.rs", "server.rs", "store.rs"].into());
}
