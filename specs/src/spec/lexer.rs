//! The tokens of expressions and constraints.

use crate::problem::{Position, Problem, ProblemKind};
use crate::reader::Source;
use crate::vocabulary::{RESERVED, SYMBOLS};

/// Expressions with more tokens than this are rejected. It bounds how deeply they nest.
const MOST_WORDS: usize = 500;

/// What other languages write, and what to write here.
const FOREIGN: [(&str, &str); 6] = [
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("&", "write `and`"),
    ("|", "write `or`"),
    ("!", "write `not`"),
    ("\"", "write texts in single quotes: 'text'"),
];

/// The characters of the longest of these.
const LONGEST_FOREIGN: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Integer(i64),
    Text(String),
    Word(String),
    Symbol(&'static str),
    End,
}

impl Token {
    /// The token as it appears in messages.
    pub(super) fn show(&self) -> String {
        match self {
            Token::Integer(it) => format!("`{it}`"),
            Token::Text(it) => format!("'{it}'"),
            Token::Word(it) => format!("`{it}`"),
            Token::Symbol(it) => format!("`{it}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Whether a text can be a name in expressions.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&text)
}

/// Splits a text into tokens, each with its position; the last is [`Token::End`].
pub(super) fn tokens(source: &Source) -> Result<Vec<(Token, Position)>, Problem> {
    let chars: Vec<char> = source.text.chars().collect();
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if chars[i].is_whitespace() {
            i += 1;
            continue;
        }
        let at = source.at(i);
        if tokens.len() == MOST_WORDS {
            let message = format!("this has more than {MOST_WORDS} tokens");
            return Err(Problem::new(&at, ProblemKind::Limit, message, "split it up, with state variables"));
        }
        let run = |from: usize, belongs: fn(&char) -> bool| {
            from + chars[from..].iter().take_while(|c| belongs(c)).count()
        };
        let (token, end) = match chars[i] {
            c if c.is_ascii_digit() => {
                let end = run(i, char::is_ascii_digit);
                let digits: String = chars[i..end].iter().collect();
                let value = digits.parse().map_err(|_| {
                    let hint = format!("numbers go up to {}", i64::MAX);
                    Problem::new(&at, ProblemKind::Arithmetic, format!("{digits} is too large"), hint)
                })?;
                (Token::Integer(value), end)
            }
            c if c.is_ascii_alphabetic() => {
                let end = run(i, |c| c.is_ascii_alphanumeric() || *c == '_');
                (Token::Word(chars[i..end].iter().collect()), end)
            }
            '\'' => quoted(&chars, i).ok_or_else(|| {
                Problem::new(
                    &at,
                    ProblemKind::Syntax,
                    "this text is not closed",
                    "close it with a single quote",
                )
            })?,
            _ => match SYMBOLS.iter().find(|it| it.chars().eq(chars[i..].iter().copied().take(it.len()))) {
                Some(&symbol) => (Token::Symbol(symbol), i + symbol.len()),
                None => {
                    let rest: String = chars[i..].iter().take(LONGEST_FOREIGN).collect();
                    let foreign = FOREIGN.iter().find(|(symbol, _)| rest.starts_with(symbol));
                    let (message, hint) = match foreign {
                        Some((symbol, hint)) => (format!("unexpected `{symbol}`"), *hint),
                        None => (format!("unexpected {:?}", chars[i]), "remove it"),
                    };
                    return Err(Problem::new(&at, ProblemKind::Syntax, message, hint));
                }
            },
        };
        tokens.push((token, at));
        i = end;
    }
    tokens.push((Token::End, source.at(i)));
    Ok(tokens)
}

/// A text in single quotes; two single quotes inside stand for one.
fn quoted(chars: &[char], start: usize) -> Option<(Token, usize)> {
    let mut text = String::new();
    let mut i = start + 1;
    loop {
        match (chars.get(i)?, chars.get(i + 1)) {
            ('\'', Some('\'')) => {
                text.push('\'');
                i += 2;
            }
            ('\'', _) => return Some((Token::Text(text), i + 1)),
            (c, _) => {
                text.push(*c);
                i += 1;
            }
        }
    }
}
