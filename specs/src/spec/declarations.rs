//! Elements that the parts of a specification file share: mappings that declare names, conditions and ranges.

use super::Guard;
use super::expression::{Expression, Parser, Scope, Symbol};
use super::lexer::is_name;
use super::value::Type;
use crate::problem::{Position, Problem, ProblemKind};
use crate::reader::Reader;
use crate::vocabulary::RESERVED;
use crate::yaml::{Key, Node};

/// A file may not declare more names, events or constraints than this.
const MOST: usize = 1000;

/// The entries of an optional mapping, if there are not too many.
pub(super) fn entries<'n>(reader: &Reader, node: Option<&'n Node>) -> Result<&'n [(Key, Node)], Problem> {
    let Some(node) = node else { return Ok(&[]) };
    let entries = reader.entries(node)?;
    limit(reader, node, entries.len())?;
    Ok(entries)
}

/// Rejects a list or mapping that is too long.
pub(super) fn limit(reader: &Reader, node: &Node, count: usize) -> Result<(), Problem> {
    if count <= MOST {
        return Ok(());
    }
    let message = format!("there are {count} entries, and at most {MOST} are allowed");
    Err(reader.problem(node, ProblemKind::Limit, message, "use arguments instead of many names"))
}

/// Adds a name to those that expressions may use.
pub(super) fn declare(names: &mut Scope, reader: &Reader, key: &Key, symbol: Symbol) -> Result<(), Problem> {
    check_name(&key.text, &reader.key(key))?;
    match names.insert(key.text.clone(), symbol) {
        None => Ok(()),
        Some(_) => {
            let message = format!("`{}` is declared twice", key.text);
            let hint = "parameters, state and arguments need different names";
            Err(Problem::new(&reader.key(key), ProblemKind::Contradiction, message, hint))
        }
    }
}

/// Rejects a text that cannot be a name.
pub(super) fn check_name(name: &str, at: &Position) -> Result<(), Problem> {
    if is_name(name) {
        return Ok(());
    }
    let (message, hint) = match RESERVED.contains(&name) {
        true => (format!("`{name}` is a reserved word"), "use another name"),
        false => (
            format!("`{}` is not a valid name", name.escape_debug()),
            "names start with a letter and consist of letters, digits and `_`",
        ),
    };
    Err(Problem::new(at, ProblemKind::Syntax, message, hint))
}

/// Reads a condition.
pub(super) fn guard(reader: &Reader, node: &Node, names: &Scope) -> Result<Guard, Problem> {
    let source = reader.source(node)?;
    let condition = Expression::parse(&source, names, Type::Boolean)?;
    Ok(Guard { position: source.at(0), text: source.text, condition })
}

/// `least..greatest`, both included.
pub(super) fn range(reader: &Reader, node: &Node, constants: &Scope) -> Result<[Expression; 2], Problem> {
    let mut parser = Parser::new(&reader.source(node)?, constants)?;
    let least = parser.expression()?.expect(Type::Integer)?;
    parser.symbol("..")?;
    let greatest = parser.expression()?.expect(Type::Integer)?;
    parser.end()?;
    Ok([least, greatest])
}
