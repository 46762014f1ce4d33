//! Every node enters once. The program's output is the order in which they do.

use std::sync::{Mutex as Plain, PoisonError};

use insyn::sync::Delivery;
use ricart_agrawala::{Node, network};
use serde::Deserialize;

/// How many nodes there are, and how messages travel.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    nodes: usize,
    delivery: Travel,
}

impl Default for Config {
    fn default() -> Self {
        Config { nodes: 2, delivery: Travel::Fifo }
    }
}

/// [`Delivery`] as an input.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Travel {
    Mailbox,
    Fifo,
    Causal,
    Bag,
}

impl From<Travel> for Delivery {
    fn from(travel: Travel) -> Self {
        match travel {
            Travel::Mailbox => Delivery::Mailbox,
            Travel::Fifo => Delivery::Fifo,
            Travel::Causal => Delivery::Causal,
            Travel::Bag => Delivery::Bag,
        }
    }
}

/// Who is inside, and who has been. It is a real mutex, and no part of a sequence: who may enter is up to the nodes.
#[derive(Default)]
struct Section(Plain<(Option<usize>, Vec<usize>)>);

impl Section {
    fn come(&self, node: usize) {
        let mut section = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(section.0.replace(node), None, "somebody is inside");
        section.1.push(node);
    }

    fn go(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
    }

    fn order(&self) -> Vec<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

#[insyn::test(spec = "specs/ricart_agrawala.yaml", tests = "specs/ricart_agrawala.tests.yaml")]
fn ricart_agrawala(config: Config) -> Vec<usize> {
    let section = Section::default();
    let inside = |id| {
        section.come(id);
        insyn::label!("enter", id);
        std::thread::yield_now();
        insyn::label!("leave", id);
        section.go();
    };
    let nodes: Vec<Node> = network(config.nodes, config.delivery.into());
    std::thread::scope(|scope| {
        for node in nodes {
            scope.spawn(|| node.take_part(inside));
        }
    });
    assert_eq!(section.order().len(), config.nodes, "everybody enters");
    section.order()
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
