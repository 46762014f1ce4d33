//! How cargo tells that the compiler crashed, or was killed because it ran out of memory.
//!
//! A compiler that finds errors exits with 1. If it does not come to that, cargo says so even when it is to be quiet:
//!
//! ```text
//! error: could not compile `bank` (lib test)
//!
//! Caused by:
//!   process didn't exit successfully: `rustc --crate-name bank …` (signal: 9, SIGKILL: kill)
//! ```

use cargo_metadata::diagnostic::Diagnostic;

/// How the compiler crashed on one of these packages, in cargo's words.
pub(super) fn told<'n>(words: &str, packages: impl Iterator<Item = &'n str> + Clone) -> Option<String> {
    let mut is_ours = false;
    for line in words.lines() {
        if line.starts_with("error: ") || line.starts_with("warning: ") {
            let is_of = |name: &str| line.starts_with(&format!("error: could not compile `{name}`"));
            is_ours = packages.clone().any(is_of);
        } else if is_ours
            && let Some(process) = line.trim_start().strip_prefix("process didn't exit successfully: ")
        {
            // The command may have parentheses too.
            let (_, end) = process.rsplit_once(" (")?;
            let end = end.strip_suffix(')').unwrap_or(end);
            if end != "exit status: 1" && end != "exit code: 1" {
                return Some(end.to_owned());
            }
        }
    }
    None
}

/// How the linker was killed, if that is what an error is about.
pub(super) fn linker(errors: &[Diagnostic]) -> Option<String> {
    let is_killed = |it: &&Diagnostic| {
        let first = it.message.lines().next().unwrap_or_default();
        it.spans.is_empty() && first.starts_with("linking with ") && first.contains("signal: ")
    };
    errors.iter().find(is_killed).and_then(|it| it.message.lines().next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_are_told_from_errors() {
        let told = |words: &str| told(words, ["bank"].into_iter());
        let failed = |name: &str, end: &str| {
            format!(
                "warning: unused\nerror: could not compile `{name}` (lib test)\n\nCaused by:\n  process didn't exit \
                 successfully: `rustc --crate-name x --check-cfg 'cfg(a)' (b)` ({end})\n"
            )
        };
        let killed = "signal: 9, SIGKILL: kill";
        assert_eq!(told(&failed("bank", killed)).as_deref(), Some(killed));
        assert_eq!(told(&failed("bank", "exit status: 101")).as_deref(), Some("exit status: 101"));
        assert_eq!(told(&failed("bank", "exit status: 1")), None);
        assert_eq!(told(&failed("serde", killed)), None);
        assert_eq!(told(&format!("{}{}", failed("serde", killed), failed("bank", "exit status: 1"))), None);
        assert_eq!(told("error: could not compile `bank` (lib test) due to 3 previous errors"), None);
        assert_eq!(
            told(
                "error: failed to run custom build command for `bank v0.1.0`\n\nCaused by:\n  process didn't exit successfully: `b` (signal: 9, SIGKILL: kill)"
            ),
            None
        );
    }
}
