//! Expressions: small, typed and total. Each has a value in every state, except for the four errors that
//! [`Expression::value`] can return, all with their position: overflow, division by zero, remainder by zero, and an index
//! out of range.
//!
//! From the loosest to the tightest: `if … then … else …`; `or`; `and`; `not`; `== != < <= > >=`; `+ -`; `* / %`; `-x`;
//! `name`, `name[index]`, `length(name)`, numbers, `true`, `false`, `'text'` and parentheses. Division rounds towards
//! zero. `and` and `or` do not evaluate the right side if the left one decides.

use std::collections::BTreeMap;

use insyn_sequences::Value;

use super::lexer::{Token, tokens};
use super::value::{Slot, Type};
use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::reader::Source;

/// Parentheses, signs and `not` nest no deeper.
const DEEPEST: usize = 50;

/// Where the value of a name is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Parameter(usize),
    State(usize),
    Argument(usize),
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) name: Name,
    pub(super) of: Type,
    /// Whether it has many values, one for each index.
    pub(super) is_family: bool,
}

/// The names that an expression may use.
pub(super) type Scope = BTreeMap<String, Symbol>;

/// The values of all names.
#[derive(Clone, Copy)]
pub(super) struct Environment<'a> {
    pub(super) parameters: &'a [Slot],
    pub(super) state: &'a [Slot],
    pub(super) arguments: &'a [Value],
}

/// An expression that has been checked.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    at: Position,
    of: Type,
    term: Term,
}

#[derive(Clone, Debug)]
enum Term {
    Constant(Value),
    Name(Name),
    Index(Name, Box<Expression>),
    Length(Name),
    Not(Box<Expression>),
    Negative(Box<Expression>),
    Arithmetic(Arithmetic, Box<[Expression; 2]>),
    Comparison(Comparison, Box<[Expression; 2]>),
    /// Decided by the left side if that is the value.
    Connected(bool, Box<[Expression; 2]>),
    If(Box<[Expression; 3]>),
}

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Expression {
    /// Parses a whole text as an expression of a type.
    pub(super) fn parse(source: &Source, scope: &Scope, of: Type) -> Result<Expression, Problem> {
        let mut parser = Parser::new(source, scope)?;
        let expression = parser.expression()?;
        parser.end()?;
        expression.expect(of)
    }

    /// Parses a whole text as an expression of whatever type it has.
    pub(super) fn parse_any(source: &Source, scope: &Scope) -> Result<Expression, Problem> {
        let mut parser = Parser::new(source, scope)?;
        let expression = parser.expression()?;
        parser.end()?;
        Ok(expression)
    }

    /// Its type.
    pub(super) fn of(&self) -> Type {
        self.of
    }

    /// Its place.
    pub(super) fn position(&self) -> &Position {
        &self.at
    }

    /// Itself, if it has the type.
    pub(super) fn expect(self, of: Type) -> Result<Expression, Problem> {
        if self.of == of {
            return Ok(self);
        }
        let message = format!("this is {}, not {}", self.of.words(), of.words());
        Err(Problem::new(&self.at, ProblemKind::Type, message, format!("write {}", of.words())))
    }

    /// Whether its value depends on the state.
    pub(super) fn mentions_state(&self) -> bool {
        let is_state = |name: &Name| matches!(name, Name::State(_));
        match &self.term {
            Term::Constant(_) => false,
            Term::Name(name) | Term::Length(name) => is_state(name),
            Term::Index(name, index) => is_state(name) || index.mentions_state(),
            Term::Not(it) | Term::Negative(it) => it.mentions_state(),
            Term::Arithmetic(_, two) | Term::Comparison(_, two) | Term::Connected(_, two) => {
                two.iter().any(Expression::mentions_state)
            }
            Term::If(three) => three.iter().any(Expression::mentions_state),
        }
    }

    /// Its value.
    pub(super) fn value(&self, names: Environment<'_>) -> Result<Value, Problem> {
        let truth = |it: &Expression| it.truth(names);
        Ok(match &self.term {
            Term::Constant(value) => value.clone(),
            Term::Name(name) => match (name, names.slot(*name)) {
                (Name::Argument(argument), _) => names.arguments[*argument].clone(),
                (_, Slot::One(value)) => value.clone(),
                (_, Slot::Many { .. }) => unreachable!("families are indexed"),
            },
            Term::Index(name, index) => {
                let number = index.integer(names)?;
                let slot = names.slot(*name);
                slot.get(number).cloned().ok_or_else(|| slot.out_of_range(&index.at, number))?
            }
            Term::Length(name) => Value::Integer(names.slot(*name).length()),
            Term::Not(it) => Value::Boolean(!truth(it)?),
            Term::Negative(it) => {
                let value = it.integer(names)?;
                Value::Integer(value.checked_neg().ok_or_else(|| self.overflow(&format!("-({value})")))?)
            }
            Term::Arithmetic(how, two) => Value::Integer(self.arithmetic(*how, two, names)?),
            Term::Comparison(how, two) => {
                let order = two[0].value(names)?.cmp(&two[1].value(names)?);
                Value::Boolean(match how {
                    Comparison::Equal => order.is_eq(),
                    Comparison::Unequal => order.is_ne(),
                    Comparison::Less => order.is_lt(),
                    Comparison::LessOrEqual => order.is_le(),
                    Comparison::Greater => order.is_gt(),
                    Comparison::GreaterOrEqual => order.is_ge(),
                })
            }
            Term::Connected(decisive, two) => {
                Value::Boolean(if truth(&two[0])? == *decisive { *decisive } else { truth(&two[1])? })
            }
            Term::If(three) => three[if truth(&three[0])? { 1 } else { 2 }].value(names)?,
        })
    }

    /// The value of an expression that has been checked to be a truth value.
    pub(super) fn truth(&self, names: Environment<'_>) -> Result<bool, Problem> {
        match self.value(names)? {
            Value::Boolean(it) => Ok(it),
            _ => unreachable!("its type has been checked"),
        }
    }

    /// The value of an expression that has been checked to be a number.
    pub(super) fn integer(&self, names: Environment<'_>) -> Result<i64, Problem> {
        match self.value(names)? {
            Value::Integer(it) => Ok(it),
            _ => unreachable!("its type has been checked"),
        }
    }

    fn arithmetic(
        &self,
        how: Arithmetic,
        two: &[Expression; 2],
        names: Environment<'_>,
    ) -> Result<i64, Problem> {
        let [a, b] = [two[0].integer(names)?, two[1].integer(names)?];
        let (value, sign) = match how {
            Arithmetic::Add => (a.checked_add(b), "+"),
            Arithmetic::Subtract => (a.checked_sub(b), "-"),
            Arithmetic::Multiply => (a.checked_mul(b), "*"),
            Arithmetic::Divide => (a.checked_div(b), "/"),
            Arithmetic::Remainder => (a.checked_rem(b), "%"),
        };
        value.ok_or_else(|| match how {
            Arithmetic::Divide | Arithmetic::Remainder if b == 0 => {
                let message = format!("{a} {sign} 0 is a division by zero");
                let hint = "check the divisor first, with `if … then … else …` or a guard";
                Problem::new(&self.at, ProblemKind::Arithmetic, message, hint)
            }
            _ => self.overflow(&format!("{a} {sign} {b}")),
        })
    }

    fn overflow(&self, what: &str) -> Problem {
        let message = format!("{what} overflows");
        Problem::new(&self.at, ProblemKind::Arithmetic, message, "keep the numbers small, with a guard")
    }
}

impl<'a> Environment<'a> {
    fn slot(self, name: Name) -> &'a Slot {
        static NONE: Slot = Slot::One(Value::Boolean(false));
        match name {
            Name::Parameter(i) => &self.parameters[i],
            Name::State(i) => &self.state[i],
            Name::Argument(_) => &NONE,
        }
    }
}

/// Reads expressions, and what other grammars need of them.
pub(super) struct Parser<'s> {
    tokens: Vec<(Token, Position)>,
    next: usize,
    depth: usize,
    scope: &'s Scope,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &Source, scope: &'s Scope) -> Result<Parser<'s>, Problem> {
        Ok(Parser { tokens: tokens(source)?, next: 0, depth: 0, scope })
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    pub(super) fn at(&self) -> Position {
        self.tokens[self.next].1.clone()
    }

    pub(super) fn take(&mut self) -> (Token, Position) {
        let taken = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        taken
    }

    pub(super) fn takes_symbol(&mut self, symbol: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Symbol(it) if *it == symbol);
        self.next += usize::from(is_it);
        is_it
    }

    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Word(it) if it == word);
        self.next += usize::from(is_it);
        is_it
    }

    /// The next word must be this one.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Problem> {
        if self.takes_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> Result<(), Problem> {
        if self.takes_symbol(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    pub(super) fn end(&self) -> Result<(), Problem> {
        if *self.peek() == Token::End { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Problem {
        let found = self.peek().show();
        let hint = match self.peek() {
            Token::Symbol("=") => "equality is `==`".to_owned(),
            _ => format!("expected {wanted}"),
        };
        Problem::new(&self.at(), ProblemKind::Syntax, format!("found {found}"), hint)
    }

    pub(super) fn expression(&mut self) -> Result<Expression, Problem> {
        self.nested(|it| {
            let at = it.at();
            if !it.takes_word("if") {
                return it.connected();
            }
            let condition = it.expression()?.expect(Type::Boolean)?;
            it.word("then")?;
            let yes = it.expression()?;
            it.word("else")?;
            let no = it.expression()?.expect(yes.of)?;
            Ok(Expression { at, of: yes.of, term: Term::If(Box::new([condition, yes, no])) })
        })
    }

    fn connected(&mut self) -> Result<Expression, Problem> {
        let mut left = self.conjunction()?;
        while let Some(at) = self.operator("or") {
            let two = [left.expect(Type::Boolean)?, self.conjunction()?.expect(Type::Boolean)?];
            left = Expression { at, of: Type::Boolean, term: Term::Connected(true, Box::new(two)) };
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expression, Problem> {
        let mut left = self.negation()?;
        while let Some(at) = self.operator("and") {
            let two = [left.expect(Type::Boolean)?, self.negation()?.expect(Type::Boolean)?];
            left = Expression { at, of: Type::Boolean, term: Term::Connected(false, Box::new(two)) };
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expression, Problem> {
        match self.operator("not") {
            None => self.comparison(),
            Some(at) => self.nested(|it| {
                let inner = Box::new(it.negation()?.expect(Type::Boolean)?);
                Ok(Expression { at, of: Type::Boolean, term: Term::Not(inner) })
            }),
        }
    }

    fn comparison(&mut self) -> Result<Expression, Problem> {
        const ALL: [(&str, Comparison); 6] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<", Comparison::Less),
            ("<=", Comparison::LessOrEqual),
            (">", Comparison::Greater),
            (">=", Comparison::GreaterOrEqual),
        ];
        let left = self.sum()?;
        let at = self.at();
        let Some(&(symbol, how)) = ALL.iter().find(|(symbol, _)| self.takes_symbol(symbol)) else {
            return Ok(left);
        };
        let is_equality = matches!(how, Comparison::Equal | Comparison::Unequal);
        if left.of == Type::Boolean && !is_equality {
            let hint = "compare truth values with `==` or `!=`";
            return Err(Problem::new(
                &at,
                ProblemKind::Type,
                format!("truth values cannot be compared with `{symbol}`"),
                hint,
            ));
        }
        let right = self.sum()?.expect(left.of)?;
        Ok(Expression { at, of: Type::Boolean, term: Term::Comparison(how, Box::new([left, right])) })
    }

    fn sum(&mut self) -> Result<Expression, Problem> {
        const ALL: [(&str, Arithmetic); 2] = [("+", Arithmetic::Add), ("-", Arithmetic::Subtract)];
        self.arithmetic(&ALL, Self::product)
    }

    fn product(&mut self) -> Result<Expression, Problem> {
        const ALL: [(&str, Arithmetic); 3] =
            [("*", Arithmetic::Multiply), ("/", Arithmetic::Divide), ("%", Arithmetic::Remainder)];
        self.arithmetic(&ALL, Self::signed)
    }

    fn arithmetic(
        &mut self,
        all: &[(&str, Arithmetic)],
        part: fn(&mut Self) -> Result<Expression, Problem>,
    ) -> Result<Expression, Problem> {
        let mut left = part(self)?;
        loop {
            let at = self.at();
            let Some(&(_, how)) = all.iter().find(|(symbol, _)| self.takes_symbol(symbol)) else {
                return Ok(left);
            };
            let two = [left.expect(Type::Integer)?, part(self)?.expect(Type::Integer)?];
            left = Expression { at, of: Type::Integer, term: Term::Arithmetic(how, Box::new(two)) };
        }
    }

    fn signed(&mut self) -> Result<Expression, Problem> {
        let at = self.at();
        if !self.takes_symbol("-") {
            return self.atom();
        }
        self.nested(|it| {
            let inner = Box::new(it.signed()?.expect(Type::Integer)?);
            Ok(Expression { at, of: Type::Integer, term: Term::Negative(inner) })
        })
    }

    /// A number, a text, a name, or an expression in parentheses.
    pub(super) fn atom(&mut self) -> Result<Expression, Problem> {
        let constant =
            |value: Value, at| Expression { at, of: Type::of(&value), term: Term::Constant(value) };
        match self.peek() {
            Token::Integer(_) | Token::Text(_) => match self.take() {
                (Token::Integer(it), at) => Ok(constant(Value::Integer(it), at)),
                (Token::Text(it), at) => Ok(constant(Value::Text(it), at)),
                _ => unreachable!("it is one of the two"),
            },
            Token::Word(word) => {
                let word = word.clone();
                match word.as_str() {
                    "true" | "false" => Ok(constant(Value::Boolean(word == "true"), self.take().1)),
                    "length" => self.length(),
                    _ if super::lexer::is_name(&word) => self.name(&word),
                    _ => Err(self.unexpected("a value")),
                }
            }
            Token::Symbol("(") => {
                self.symbol("(")?;
                let inner = self.expression()?;
                self.symbol(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    fn length(&mut self) -> Result<Expression, Problem> {
        let (_, at) = self.take();
        self.symbol("(")?;
        let (token, name_at) = self.take();
        let Token::Word(word) = &token else { return Err(self.unexpected("the name of a list")) };
        let symbol = self.symbol_of(word, &name_at)?;
        if !symbol.is_family {
            let message = format!("`{word}` is a single value");
            return Err(Problem::new(&name_at, ProblemKind::Type, message, "only lists have a length"));
        }
        self.symbol(")")?;
        Ok(Expression { at, of: Type::Integer, term: Term::Length(symbol.name) })
    }

    fn name(&mut self, word: &str) -> Result<Expression, Problem> {
        let (_, at) = self.take();
        let symbol = self.symbol_of(word, &at)?;
        let indexed = self.takes_symbol("[");
        if indexed != symbol.is_family {
            let (message, hint) = match indexed {
                true => (format!("`{word}` is a single value"), format!("write `{word}`")),
                false => {
                    (format!("`{word}` has many values"), format!("write `{word}[…]` or `length({word})`"))
                }
            };
            return Err(Problem::new(&at, ProblemKind::Type, message, hint));
        }
        if !indexed {
            return Ok(Expression { at, of: symbol.of, term: Term::Name(symbol.name) });
        }
        let index = self.expression()?.expect(Type::Integer)?;
        self.symbol("]")?;
        Ok(Expression { at, of: symbol.of, term: Term::Index(symbol.name, Box::new(index)) })
    }

    pub(super) fn symbol_of(&self, word: &str, at: &Position) -> Result<Symbol, Problem> {
        self.scope.get(word).copied().ok_or_else(|| {
            let hint = did_you_mean(word, self.scope.keys().map(String::as_str));
            Problem::new(at, ProblemKind::Unknown, format!("unknown name `{word}`"), hint)
        })
    }

    fn operator(&mut self, word: &str) -> Option<Position> {
        let at = self.at();
        self.takes_word(word).then_some(at)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth == DEEPEST {
            let message = format!("this nests more than {DEEPEST} levels deep");
            return Err(Problem::new(
                &self.at(),
                ProblemKind::Limit,
                message,
                "split it up, with state variables",
            ));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}
