//! Pairs of constraints that no sequence satisfies in which their events happen.

use super::Spec;
use super::constraint::{Constraint, Form};
use crate::problem::{Problem, ProblemKind};

/// Checks all constraints, and all pairs of them, that hold for events with any arguments.
pub(super) fn check(spec: &Spec) -> Result<(), Problem> {
    let general: Vec<&Constraint> = spec.constraints.iter().filter(|it| it.is_general()).collect();
    for (i, one) in general.iter().enumerate() {
        if matches!(one.form, Form::Precedes | Form::PrecedesEach) && one.terms[0].event == one.terms[1].event
        {
            let name = &spec.events[one.terms[0].event].name;
            let message = format!("`{name}` could never happen, because it would have to come before itself");
            return Err(Problem::new(&one.position, ProblemKind::Contradiction, message, "name two events"));
        }
        if let Some(other) = general[..i].iter().find(|other| exclude(one, other) || exclude(other, one)) {
            let message = format!("`{}` and `{}` contradict each other", other.text, one.text);
            let hint = format!("remove one of them; the other is at {}", other.position);
            return Err(Problem::new(&one.position, ProblemKind::Contradiction, message, hint));
        }
    }
    Ok(())
}

fn exclude(one: &Constraint, other: &Constraint) -> bool {
    let [a, b] = [one, other].map(|it| (it.terms[0].event, it.terms.get(1).map(|it| it.event)));
    let (same, reversed) = (a == b, Some(a.0) == b.1 && Some(b.0) == a.1);
    match (one.form, other.form) {
        (Form::Must { directly } | Form::May { directly }, Form::Never { directly: never }) => {
            same && (directly || !never)
        }
        // Two different events cannot both come next.
        (Form::Must { directly: true }, Form::Must { directly: true }) => a.1 == b.1 && a.0 != b.0,
        (Form::Precedes | Form::PrecedesEach, Form::Precedes | Form::PrecedesEach) => reversed,
        (Form::Alternates, Form::Alternates | Form::Precedes | Form::PrecedesEach) => reversed,
        _ => false,
    }
}
