//! Runs what has failed once more: a failure that does not come again after the same picks is no verdict.

use super::Explorer;
use crate::body::Body;
use crate::engine::Engine;
use crate::engine::refinement::Refinement;
use crate::exploration::tally::Tally;
use crate::exploration::worker::run;
use crate::failure::{self, Failure, Termination};
use crate::replay::write_script;

impl Explorer {
    /// Runs each failure that is to be shown once more, and calls it uncontrolled nondeterminism if it ends otherwise. There
    /// are only so many, so this costs little; and an observer has nothing to see here.
    pub(super) fn confirm(&self, tally: &mut Tally, refinement: &Refinement, program: &Body) {
        // Where turns are forced, what they lead to is the verdict.
        if self.plan.forcing.is_none() {
            tally.confirm(|failure, place| self.ends_otherwise(failure, place, refinement, program));
        }
    }

    /// How the program ends when it does once more what failed, if it is not as before.
    fn ends_otherwise(
        &self,
        failure: &Failure,
        place: &str,
        refinement: &Refinement,
        program: &Body,
    ) -> Option<String> {
        // Where a bound cuts a run depends on whose steps come first, and those after the last event are not written down;
        // what was kept from another execution may be gone.
        if matches!(
            failure.termination,
            Termination::StepBound
                | Termination::LocalDeadlock
                | Termination::ForeignObject
                | Termination::Nondeterminism
        ) {
            return None;
        }
        let mut engine = Engine::new(self.settings);
        engine.apply(refinement);
        write_script(&failure.sequence, &mut engine).ok()?;
        run(&mut engine, program);
        let end = failure::termination(&engine, self.plan.ignore_detached);
        // How far a thread gets before its stack is full depends on what is asked on the way, by a little.
        let same_place = end == Termination::StackOverflow || failure::place(&engine, end) == place;
        let same = end == failure.termination && same_place && engine.ending.new_facts.is_empty();
        (!same).then(|| match end {
            Termination::Normal => "to a normal end".to_string(),
            _ => format!("to this: {end}: {}", failure::describe(&engine, end, None).message),
        })
    }
}
