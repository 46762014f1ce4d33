//! The program of a drawing that has only asynchronous ports: every thread sends and receives as drawn, from
//! any thread.

use std::collections::BTreeMap;

use insyn::std::thread;
use insyn::sync::{Delivery, PortReceiver, port};

use super::drawing::Drawing;

#[derive(Clone, Copy, Debug)]
enum Step {
    Send(usize),
    Receive(usize),
}

/// Makes the program. Threads borrow their ports from the closure, so that a thread has only the drawn events.
///
/// # Panics
/// If the lines are not `T1`, `T2`, … in this order, or a send has no port.
pub(crate) fn program(
    drawing: &str,
    delivery: Delivery,
) -> impl Fn() + Clone + Send + Sync + use<> + 'static {
    let drawing = Drawing::new(drawing);
    let points = || drawing.lines.iter().flat_map(|line| &line.points);
    let destinations: BTreeMap<&str, &str> =
        points().filter_map(|point| Some((&*point.name, point.to.as_deref()?))).collect();
    let ports: Vec<&str> = {
        let mut ports: Vec<&str> = destinations.values().copied().collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    };
    let number = |name: &str| ports.iter().position(|p| *p == destinations[name]).expect("it is a port");
    let mut threads: Vec<Vec<Step>> = Vec::new();
    for (i, line) in drawing.lines.iter().enumerate() {
        assert_eq!(line.process, format!("T{}", i + 1));
        let step = |point: &super::drawing::Point| match &point.from {
            Some(from) => Step::Receive(number(from)),
            None => Step::Send(number(&point.name)),
        };
        threads.push(line.points.iter().map(step).collect());
    }
    let ports = ports.len();
    move || run(&threads, ports, delivery)
}

fn run(threads: &[Vec<Step>], ports: usize, delivery: Delivery) {
    let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..ports).map(|_| port::<()>(delivery)).unzip();
    let senders = &senders;
    thread::scope(|scope| {
        let mut free: Vec<Option<&mut PortReceiver<()>>> = receivers.iter_mut().map(Some).collect();
        for steps in threads {
            let mut mine: Vec<Option<&mut PortReceiver<()>>> = (0..ports).map(|_| None).collect();
            for step in steps {
                if let Step::Receive(port) = *step {
                    mine[port] = mine[port].take().or_else(|| free[port].take());
                }
            }
            scope.spawn(move || {
                for step in steps {
                    match *step {
                        Step::Send(port) => senders[port].send(()).expect("the port is there"),
                        Step::Receive(port) => {
                            let receiver = mine[port].as_ref().expect("one thread receives from a port");
                            receiver.recv().expect("the senders are there");
                        }
                    }
                }
            });
        }
    });
}
