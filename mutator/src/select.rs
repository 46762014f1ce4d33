//! The positions of the parts of a select's arms.

use insyn_syntax::Arm;
use syn::Expr;

use crate::extent::{Extent, Position};

/// The expression that a message or a call is received from.
pub(crate) fn source(arm: &Arm) -> Option<&Expr> {
    let receives = arm.word == "recv" || arm.word == "accept";
    arm.args.as_ref().filter(|_| receives)?.1.first()
}

/// Where a guard could be inserted, if there is none.
pub(crate) fn guard_slot(arm: &Arm) -> Option<Position> {
    let (_, pat) = arm.pat.as_ref().filter(|_| arm.guard.is_none())?;
    Some(Extent::of(pat)?.end)
}

/// The extent of the arm, with the comma after it.
pub(crate) fn whole(arm: &Arm) -> Option<Extent> {
    let extent = extent(arm)?;
    Some(arm.comma.as_ref().and_then(Extent::of).map_or(extent, |comma| extent.to(comma)))
}

/// The extent of the arm, without the comma after it.
pub(crate) fn extent(arm: &Arm) -> Option<Extent> {
    Some(Extent::of(&arm.word)?.to(Extent::of(&arm.body)?))
}
