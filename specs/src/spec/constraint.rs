//! Sequencing constraints, in the style of Carver and Tai, and the small automata that check them.
//!
//! | constraint | a sequence satisfies it if |
//! |---|---|
//! | `B must follow A` | every A is eventually followed by a B |
//! | `B must directly follow A` | the next event after every A is a B |
//! | `B must never follow A` | no B comes after an A |
//! | `B must never directly follow A` | the next event after an A is never a B |
//! | `B may follow A`, `B may directly follow A` | always; *some* valid sequence must show it |
//! | `A precedes B` | no B comes before the first A |
//! | `A precedes each B` | at every point there have been at least as many A as B |
//! | `A alternates with B` | among the A and B, the first is an A, and no two A or two B come in a row |
//! | `at most N B` | there are at most N B |
//! | `at most N B between A and C` | after any A there are at most N B before the next C |
//!
//! "Directly" refers to the events of the specification; hidden events are ignored. An event is a name, for any
//! arguments, or a name with arguments: values, parameters, `_` for any, or variables. A constraint with variables holds
//! for each of their values.

use std::collections::BTreeMap;

use insyn_sequences::Value;

use super::Event;
use super::expression::{Environment, Expression, Parser, Scope};
use super::lexer::{Token, is_name};
use super::value::Type;
use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::reader::Source;
use crate::word::Letter;

/// A constraint as it was written.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) position: Position,
    /// The sentence.
    pub(super) text: String,
    pub(super) form: Form,
    /// One, two or three events, by the letters of the table: B and A; A and B; B, A and C.
    pub(super) terms: Vec<Term>,
    most: Option<Expression>,
    /// The variables, each with the event and argument whose domain it has.
    variables: Vec<(usize, usize)>,
}

/// The forms of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    Must { directly: bool },
    Never { directly: bool },
    May { directly: bool },
    Precedes,
    PrecedesEach,
    Alternates,
    AtMost,
    AtMostBetween,
}

/// An event in a constraint.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) event: usize,
    arguments: Vec<Argument>,
}

#[derive(Clone, Debug)]
enum Argument {
    Any,
    Value(Expression),
    Variable(usize),
}

impl Constraint {
    pub(super) fn parse(
        source: &Source,
        parameters: &Scope,
        events: &[Event],
    ) -> Result<Constraint, Problem> {
        let mut parser = Parser::new(source, parameters)?;
        let mut sentence = Sentence { events, variables: BTreeMap::new(), places: Vec::new() };
        let position = parser.at();
        let (mut terms, mut most) = (Vec::new(), None);
        let form = if parser.takes_word("at") {
            parser.word("most")?;
            most = Some(parser.atom()?.expect(Type::Integer)?);
            terms.push(sentence.term(&mut parser)?);
            if parser.takes_word("between") {
                terms.push(sentence.term(&mut parser)?);
                parser.word("and")?;
                terms.push(sentence.term(&mut parser)?);
                Form::AtMostBetween
            } else {
                Form::AtMost
            }
        } else {
            terms.push(sentence.term(&mut parser)?);
            let form = sentence.relation(&mut parser)?;
            terms.push(sentence.term(&mut parser)?);
            form
        };
        parser.end()?;
        let is_any = |term: &Term| term.arguments.iter().all(|it| matches!(it, Argument::Any));
        if form == Form::Alternates && terms[0].event == terms[1].event && terms.iter().any(is_any) {
            let message = "an event cannot alternate with itself";
            return Err(Problem::new(&position, ProblemKind::Contradiction, message, "name two events"));
        }
        let text = source.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Constraint { position, text, form, terms, most, variables: sentence.places })
    }

    /// Whether the events have no arguments, or `_` only: then the constraint is about all of them.
    pub(super) fn is_general(&self) -> bool {
        let any = |argument: &Argument| matches!(argument, Argument::Any);
        self.terms.iter().all(|term| term.arguments.iter().all(any))
    }

    /// The event and argument whose domain each variable has.
    pub(super) fn variables(&self) -> &[(usize, usize)] {
        &self.variables
    }

    /// The automaton for some values of the variables.
    pub(super) fn watch(&self, values: &[Value], names: Environment<'_>) -> Result<Watch, Problem> {
        let argument = |argument: &Argument| match argument {
            Argument::Any => Ok(None),
            Argument::Value(expression) => expression.value(names).map(Some),
            Argument::Variable(variable) => Ok(Some(values[*variable].clone())),
        };
        let term = |term: &Term| {
            let arguments = term.arguments.iter().map(argument).collect::<Result<_, Problem>>()?;
            Ok((term.event, arguments))
        };
        let terms = self.terms.iter().map(term).collect::<Result<_, Problem>>()?;
        let most = self.most.as_ref().map_or(Ok(0), |most| most.integer(names))?;
        if let Some(expression) = self.most.as_ref().filter(|_| most < 0) {
            let message = format!("at most {most} is a negative number");
            return Err(Problem::new(
                expression.position(),
                ProblemKind::Contradiction,
                message,
                "count from 0",
            ));
        }
        Ok(Watch { form: self.form, terms, most })
    }
}

/// What is known while a constraint is read.
struct Sentence<'e> {
    events: &'e [Event],
    variables: BTreeMap<String, usize>,
    places: Vec<(usize, usize)>,
}

impl Sentence<'_> {
    fn relation(&self, parser: &mut Parser<'_>) -> Result<Form, Problem> {
        if parser.takes_word("precedes") {
            return Ok(if parser.takes_word("each") { Form::PrecedesEach } else { Form::Precedes });
        }
        if parser.takes_word("alternates") {
            return parser.word("with").map(|()| Form::Alternates);
        }
        let may = parser.takes_word("may");
        if !may && !parser.takes_word("must") {
            return Err(parser.unexpected("`must`, `may`, `precedes` or `alternates`"));
        }
        let never = !may && parser.takes_word("never");
        let directly = parser.takes_word("directly");
        parser.word("follow")?;
        Ok(match (may, never) {
            (true, _) => Form::May { directly },
            (_, true) => Form::Never { directly },
            _ => Form::Must { directly },
        })
    }

    fn term(&mut self, parser: &mut Parser<'_>) -> Result<Term, Problem> {
        if !matches!(parser.peek(), Token::Word(word) if is_name(word)) {
            return Err(parser.unexpected("the name of an event"));
        }
        let (token, at) = parser.take();
        let Token::Word(name) = token else { unreachable!("it is a word") };
        let event = self.events.iter().position(|event| *event.name == *name).ok_or_else(|| {
            let hint = did_you_mean(&name, self.events.iter().map(|event| &*event.name));
            Problem::new(&at, ProblemKind::Unknown, format!("unknown event `{name}`"), hint)
        })?;
        let mut arguments = Vec::new();
        if parser.takes_symbol("(") {
            loop {
                let argument = self.argument(parser, event, arguments.len())?;
                arguments.push(argument);
                if !parser.takes_symbol(",") {
                    break;
                }
            }
            parser.symbol(")")?;
            let count = self.events[event].arguments.len();
            if arguments.len() != count {
                let message = format!("`{name}` has {count} arguments, not {}", arguments.len());
                return Err(Problem::new(
                    &at,
                    ProblemKind::Type,
                    message,
                    "write `_` for those that do not matter",
                ));
            }
        }
        Ok(Term { event, arguments })
    }

    fn argument(&mut self, parser: &mut Parser<'_>, event: usize, place: usize) -> Result<Argument, Problem> {
        if parser.takes_symbol("_") {
            return Ok(Argument::Any);
        }
        let at = parser.at();
        let Some(argument) = self.events[event].arguments.get(place) else {
            let message = format!("`{}` has no argument number {}", self.events[event].name, place + 1);
            return Err(Problem::new(&at, ProblemKind::Type, message, "remove it"));
        };
        let variable = match parser.peek() {
            Token::Word(word) if is_name(word) && parser.symbol_of(word, &at).is_err() => Some(word.clone()),
            _ => None,
        };
        let Some(name) = variable else {
            return Ok(Argument::Value(parser.expression()?.expect(argument.of)?));
        };
        parser.take();
        if !argument.domain.is_finite() {
            let message = format!("`{name}` would have infinitely many values");
            let hint = format!("give the argument `{}` a range or a list", argument.name);
            return Err(Problem::new(&at, ProblemKind::Limit, message, hint));
        }
        let next = self.variables.len();
        let variable = *self.variables.entry(name.clone()).or_insert(next);
        match self.places.get(variable) {
            None => self.places.push((event, place)),
            Some(&(other, its)) if self.events[other].arguments[its].of != argument.of => {
                let message =
                    format!("`{name}` is {} elsewhere", self.events[other].arguments[its].of.words());
                return Err(Problem::new(&at, ProblemKind::Type, message, "use two names"));
            }
            Some(_) => {}
        }
        Ok(Argument::Variable(variable))
    }
}

/// The automaton of a constraint, for given parameters and variables.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    form: Form,
    /// Events with their arguments; none matches any argument.
    terms: Vec<(usize, Vec<Option<Value>>)>,
    most: i64,
}

/// The state of a watch: a flag or a count.
pub(super) type Memory = i64;

impl Watch {
    fn is(&self, term: usize, letter: &Letter) -> bool {
        let (event, arguments) = &self.terms[term];
        let same = |(wanted, value): (&Option<Value>, &Value)| wanted.as_ref().is_none_or(|it| it == value);
        *event == letter.event && arguments.iter().zip(letter.arguments.iter()).all(same)
    }

    /// The state after an event; none if the constraint is violated.
    pub(super) fn step(&self, memory: Memory, letter: &Letter) -> Option<Memory> {
        // The state of a `may` that has been shown.
        const SHOWN: Memory = 2;
        let [first, second] = [0, 1].map(|term| term < self.terms.len() && self.is(term, letter));
        match self.form {
            Form::Must { directly: true } => (memory == 0 || first).then_some(second.into()),
            Form::Must { directly: false } => Some(if second {
                1
            } else if first {
                0
            } else {
                memory
            }),
            Form::Never { directly: true } => (memory == 0 || !first).then_some(second.into()),
            Form::Never { directly: false } => {
                (memory == 0 || !first).then_some(if second { 1 } else { memory })
            }
            Form::May { directly } => Some(match memory {
                SHOWN => SHOWN,
                1 if first => SHOWN,
                1 if !directly => 1,
                _ => second.into(),
            }),
            Form::Precedes => (memory == 1 || !second).then_some(if first { 1 } else { memory }),
            Form::PrecedesEach => {
                let left = memory - Memory::from(second);
                (left >= 0).then_some(left + Memory::from(first))
            }
            Form::Alternates => match (first, second) {
                (true, false) => (memory == 0).then_some(1),
                (false, true) => (memory == 1).then_some(0),
                (false, false) => Some(memory),
                (true, true) => None,
            },
            Form::AtMost => {
                let count = memory + Memory::from(first);
                (!first || count <= self.most).then_some(count)
            }
            Form::AtMostBetween => self.between(memory, first, second, self.is(2, letter)),
        }
    }

    /// The state is 0 outside of the interval, and one more than the count inside.
    fn between(&self, memory: Memory, counted: bool, opens: bool, closes: bool) -> Option<Memory> {
        let memory = match memory {
            0 => 0,
            _ if closes => 0,
            count => count + Memory::from(counted),
        };
        (memory == 0 || memory - 1 <= self.most).then_some(if opens && memory == 0 { 1 } else { memory })
    }

    /// Whether the sequence may end here.
    pub(super) fn may_end(&self, memory: Memory) -> bool {
        !matches!(self.form, Form::Must { .. }) || memory == 0
    }

    /// For a `may`: whether it has been shown.
    pub(super) fn is_shown(&self, memory: Memory) -> bool {
        matches!(self.form, Form::May { .. }) && memory == 2
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::spec::Spec;
    use crate::vocabulary::CONSTRAINTS;

    use super::Form;

    /// The sentences that the documents explain have every form that there is, each once.
    #[test]
    fn every_form_has_its_sentence() {
        let form = |sentence: &str| {
            let sentence = sentence.replace('N', "2");
            let text =
                format!("insyn: spec\nversion: 1\nevents: {{A: , B: , C: }}\nconstraints: [{sentence}]\n");
            Spec::read("s.yaml", &text).unwrap_or_else(|problem| panic!("{sentence}: {problem}")).constraints
                [0]
            .form
        };
        let found: Vec<Form> = CONSTRAINTS.iter().map(|it| form(it)).collect();
        let distinct: BTreeSet<Form> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len());
        // The compiler asks for a new form here; the sum then asks for its sentences.
        let ways = |form: &Form| match form {
            Form::Must { .. } | Form::Never { .. } | Form::May { .. } => 2,
            Form::Precedes | Form::PrecedesEach | Form::Alternates | Form::AtMost | Form::AtMostBetween => 1,
        };
        let mut kinds = found.clone();
        kinds.dedup_by_key(|form| std::mem::discriminant(form));
        assert_eq!(kinds.len(), 8);
        assert_eq!(kinds.iter().map(ways).sum::<usize>(), found.len());
    }
}
