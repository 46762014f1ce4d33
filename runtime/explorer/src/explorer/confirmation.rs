//! Runs failures once more: a failure that does not happen again with the same picks is no verdict.

use super::Explorer;
use crate::body::Body;
use crate::exploration::tally::Tally;
use crate::exploration::worker::run;
use crate::failure::{self, Failure, Termination};
use crate::replay::write_script;
use insyn_engine::Engine;
use insyn_engine::refinement::Refinement;

impl Explorer {
    /// Runs each failure that is to be shown once more, and reports uncontrolled nondeterminism if it ends differently. The
    /// number of such failures is limited, so this costs little; and these runs are not shown to an observer.
    pub(super) fn confirm(&self, tally: &mut Tally, refinement: &Refinement, program: &Body) {
        // In a forced program, the result of the forcing is the verdict.
        if self.plan.forcing.is_none() {
            tally.confirm(|failure, place| self.ends_otherwise(failure, place, refinement, program));
        }
    }

    /// How the program ends when a failure is run once more, if it ends differently than before.
    fn ends_otherwise(
        &self,
        failure: &Failure,
        place: &str,
        refinement: &Refinement,
        program: &Body,
    ) -> Option<String> {
        // Where a bound cuts a run depends on the order of steps, and the steps after the last event are not recorded;
        // objects kept from another execution may be gone.
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
        // How deep a thread gets before its stack is full depends a little on the checks along the way.
        let same_place = end == Termination::StackOverflow || failure::place(&engine, end) == place;
        let same = end == failure.termination && same_place && engine.ending.new_facts.is_empty();
        (!same).then(|| match end {
            Termination::Normal => "to a normal end".to_string(),
            _ => format!("to this: {end}: {}", failure::describe(&engine, end, None).message),
        })
    }
}
