//! Applies unified diffs, to the letter: no line is searched for elsewhere, and none is passed over.

/// Applies a patch, as `diff -u` writes it, to a text.
///
/// # Errors
/// Where the text is not the one that the patch was made of, or the patch is none.
pub fn apply(text: &str, patch: &str) -> Result<String, String> {
    let mut old = text.lines().enumerate();
    let mut new = String::new();
    let mut keep = |line: &str| {
        new.push_str(line);
        new.push('\n');
    };
    let mut hunks = 0;
    for line in patch.lines().filter(|line| !is_header(line)) {
        if let Some(range) = line.strip_prefix("@@ -") {
            let start = range.split([',', ' ']).next().unwrap_or_default();
            let start: usize = start.parse().map_err(|_| format!("no line number in `{line}`"))?;
            // The lines between two hunks stay.
            while old.clone().next().is_some_and(|(number, _)| number + 1 < start) {
                keep(old.next().map_or("", |(_, line)| line));
            }
            hunks += 1;
            continue;
        }
        let (sign, content) =
            line.split_at_checked(1).ok_or("an empty line; an unchanged one begins with a space")?;
        if hunks == 0 {
            return Err(format!("`{line}` comes before any `@@`"));
        }
        match sign {
            "+" => keep(content),
            " " | "-" => match old.next() {
                Some((_, there)) if there == content => {
                    if sign == " " {
                        keep(content);
                    }
                }
                Some((number, there)) => {
                    return Err(format!("line {} is `{there}`, not `{content}`", number + 1));
                }
                None => return Err(format!("the text ends before `{content}`")),
            },
            _ => return Err(format!("`{line}` begins with none of `+`, `-` and a space")),
        }
    }
    if hunks == 0 {
        return Err("it changes nothing".to_owned());
    }
    old.for_each(|(_, line)| keep(line));
    Ok(new)
}

/// The lines that a patch takes away and adds, each with `-` or `+` before it.
pub fn changes(patch: &str) -> Vec<&str> {
    patch.lines().filter(|line| line.starts_with(['-', '+']) && !is_header(line)).collect()
}

fn is_header(line: &str) -> bool {
    line.starts_with("--- ") || line.starts_with("+++ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\nb\nc\nd\ne\nf\n";

    #[test]
    fn hunks_are_applied() {
        let patch = "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -5,2 +5,3 @@\n e\n+between\n f\n";
        assert_eq!(apply(TEXT, patch).as_deref(), Ok("a\nB\nc\nd\ne\nbetween\nf\n"));
        assert_eq!(changes(patch), ["-b", "+B", "+between"]);
    }

    #[test]
    fn another_text_is_refused() {
        let patch = "--- old\n+++ new\n@@ -2,2 +2,1 @@\n-b\n-x\n";
        assert_eq!(apply(TEXT, patch), Err("line 3 is `c`, not `x`".to_owned()));
        let longer = "--- old\n+++ new\n@@ -6,2 +6,2 @@\n f\n g\n";
        assert_eq!(apply(TEXT, longer), Err("the text ends before `g`".to_owned()));
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        assert_eq!(apply(TEXT, ""), Err("it changes nothing".to_owned()));
        assert_eq!(apply(TEXT, "+x\n"), Err("`+x` comes before any `@@`".to_owned()));
        assert!(apply(TEXT, "@@ -x @@\n").is_err());
        assert!(apply(TEXT, "@@ -1,1 +1,1 @@\n*a\n").is_err());
    }
}
