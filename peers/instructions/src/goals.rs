//! What `--check` asks for, and whether it was met.

use crate::table::{Row, sums};

/// No row may take more than this many times its committed figure.
const MOST_OF_ROW: f64 = 1.05;
/// No sum may be more than this many times the committed one.
const MOST_OF_SUM: f64 = 1.02;

/// Every goal that `rows` miss, as a sentence each.
pub(crate) fn missed(rows: &[Row]) -> Vec<String> {
    if rows.iter().all(|row| row.before.is_none()) {
        return vec!["there are no committed figures; `--save` writes them".to_owned()];
    }
    let sums = sums(rows);
    let rows = rows.iter().map(|row| (row.program.title, row.build, row.ratio(), MOST_OF_ROW));
    let sums = sums.iter().map(|sum| (sum.title, sum.build, sum.ratio(), MOST_OF_SUM));
    let mut missed = Vec::new();
    for (title, build, ratio, most) in rows.chain(sums) {
        let build = build.name();
        match ratio {
            None => {
                missed.push(format!("{title} ({build}): there is no committed figure; `--save` writes one"))
            }
            Some(ratio) if ratio > most => {
                missed.push(format!("{title} ({build}): {ratio:.4} times the committed figure, not {most}"));
            }
            Some(_) => {}
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use insyn_peers_programs::measured::Measured;

    fn row(now: f64, before: Option<f64>) -> Row {
        Row { program: Measured::all()[0], build: Build::Users, now, before }
    }

    #[test]
    fn rows_and_sums_have_bounds_of_their_own() {
        assert_eq!(missed(&[row(102.0, Some(100.0))]), [""; 0]);
        let some = missed(&[row(104.9, Some(100.0)), row(1_000.0, Some(1_000.0))]);
        assert_eq!(some, [""; 0]);
        let some = missed(&[row(104.9, Some(100.0))]);
        assert_eq!(some, ["sum of short programs (users): 1.0490 times the committed figure, not 1.02"]);
        let some = missed(&[row(106.0, Some(100.0)), row(1_000.0, Some(1_000.0))]);
        assert_eq!(some, ["fan-in 6 (users): 1.0600 times the committed figure, not 1.05"]);
    }

    #[test]
    fn what_is_not_committed_cannot_be_met() {
        let sentence = "there are no committed figures; `--save` writes them";
        assert_eq!(missed(&[row(100.0, None), row(100.0, None)]), [sentence]);
        // The row, and the sum that it is in.
        assert_eq!(missed(&[row(100.0, None), row(100.0, Some(100.0))]).len(), 2);
    }
}
