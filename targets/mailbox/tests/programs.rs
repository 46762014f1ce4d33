//! A program's output is from whom threads 2 and 3 received.

#[insyn::test(spec = "specs/mailbox.yaml", tests = "specs/mailbox.tests.yaml")]
fn mailbox() -> [mailbox::Received; 2] {
    let received = mailbox::mailbox();
    for c in 0..2 {
        let mut senders = received.map(|by_mailbox| by_mailbox[c]);
        senders.sort_unstable();
        assert_eq!(senders, [1, 4], "each message is received once");
    }
    received
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
