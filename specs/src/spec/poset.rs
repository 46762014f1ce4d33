//! Letters in a partial order, whose linear extensions are words. Different sequences may have the same poset.

use std::collections::BTreeSet;

use insyn_sequences::smallest_first;

use crate::word::{Letter, Word};

/// Letters in a partial order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Poset {
    /// In an order that agrees with the partial one: each is the smallest letter that may come next.
    letters: Vec<Letter>,
    /// For each letter, the indices of those directly before it, sorted.
    before: Vec<Vec<usize>>,
}

/// A down-set: some letters of a poset, and all letters before them.
pub(super) type DownSet = Vec<u64>;

impl Poset {
    /// A poset of letters, given in an order that agrees with `is_before`. The given order matters only for equal letters, and only
    /// if they are concurrent.
    pub fn of(letters: Vec<Letter>, is_before: impl Fn(usize, usize) -> bool) -> Poset {
        let mut before: Vec<Vec<usize>> = Vec::with_capacity(letters.len());
        // For each letter all before it.
        let mut pasts: Vec<DownSet> = Vec::with_capacity(letters.len());
        for later in 0..letters.len() {
            let (mut direct, mut past) = (Vec::new(), vec![0; letters.len().div_ceil(64)]);
            for earlier in (0..later).rev() {
                if !has(&past, earlier) && is_before(earlier, later) {
                    direct.push(earlier);
                    past = Poset::with(&past, earlier);
                    past.iter_mut().zip(&pasts[earlier]).for_each(|(word, more)| *word |= more);
                }
            }
            before.push(direct);
            pasts.push(past);
        }
        Poset { letters, before }.canonical()
    }

    /// A total order.
    pub fn of_word(word: &Word) -> Poset {
        let before = (0..word.0.len()).map(|i| i.checked_sub(1).into_iter().collect()).collect();
        Poset { letters: word.0.clone(), before }
    }

    fn canonical(self) -> Poset {
        // By letter; equal letters keep their given order.
        let mut by_letter: Vec<usize> = (0..self.letters.len()).collect();
        by_letter.sort_by(|&a, &b| self.letters[a].cmp(&self.letters[b]));
        let rank = inverse(&by_letter);
        let ranked: Vec<Vec<usize>> = by_letter
            .iter()
            .map(|&it| self.before[it].iter().map(|&earlier| rank[earlier]).collect())
            .collect();
        let line = smallest_first(&ranked).expect("what comes before has a smaller index");
        let line: Vec<usize> = line.into_iter().map(|rank| by_letter[rank]).collect();
        let place = inverse(&line);
        let sorted = |it: usize| {
            let mut before: Vec<usize> = self.before[it].iter().map(|&earlier| place[earlier]).collect();
            before.sort_unstable();
            before
        };
        Poset {
            letters: line.iter().map(|&it| self.letters[it].clone()).collect(),
            before: line.iter().map(|&it| sorted(it)).collect(),
        }
    }

    /// The letters, in an order that agrees with the partial one.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    pub(super) fn empty(&self) -> DownSet {
        vec![0; self.letters.len().div_ceil(64)]
    }

    /// The letters that may come next, by index.
    pub(super) fn next<'a>(&'a self, done: &'a DownSet) -> impl Iterator<Item = usize> + 'a {
        let is_done = |it: usize| has(done, it);
        (0..self.letters.len())
            .filter(move |&it| !is_done(it) && self.before[it].iter().all(|&it| is_done(it)))
    }

    pub(super) fn with(done: &DownSet, letter: usize) -> DownSet {
        let mut more = done.clone();
        more[letter / 64] |= 1 << (letter % 64);
        more
    }

    /// The whole word that starts with these letters and continues in the canonical order.
    pub(super) fn complete(&self, start: &[usize]) -> Word {
        let rest = (0..self.letters.len()).filter(|it| !start.contains(it));
        Word(start.iter().copied().chain(rest).map(|it| self.letters[it].clone()).collect())
    }

    /// Whether a word is one of its linear extensions.
    pub fn has_word(&self, word: &Word) -> bool {
        word.0.len() == self.letters.len() && self.follow(word) == word.0.len()
    }

    /// The length of the longest prefix of a word that agrees with the partial order.
    pub fn follow(&self, word: &Word) -> usize {
        self.follow_by(word.0.len(), |n, letter| word.0[n] == *letter)
    }

    /// The length of the longest prefix of `len` steps that its letters can match in order, where `fits` decides which letters a
    /// step matches.
    pub(crate) fn follow_by(&self, len: usize, fits: impl Fn(usize, &Letter) -> bool) -> usize {
        // Concurrent equal letters are interchangeable, so there may be several matches.
        let mut ways = BTreeSet::from([self.empty()]);
        for n in 0..len {
            let step = |done: &DownSet| {
                let next = self.next(done).filter(|&it| fits(n, &self.letters[it]));
                next.map(|it| Poset::with(done, it)).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(step).collect();
            if ways.is_empty() {
                return n;
            }
        }
        len
    }

    /// Its words. A word appears more than once if equal letters are concurrent.
    pub fn words(&self) -> Extensions<'_> {
        Extensions { poset: self, way: Vec::new(), from: 0 }
    }
}

/// The words of a poset, one at a time.
#[derive(Clone, Debug)]
pub struct Extensions<'p> {
    poset: &'p Poset,
    /// The letters taken so far, each with the down-set before it.
    way: Vec<(usize, DownSet)>,
    /// Letters before this one have been tried here.
    from: usize,
}

impl Iterator for Extensions<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            let done =
                self.way.last().map_or_else(|| self.poset.empty(), |(it, done)| Poset::with(done, *it));
            let next = self.poset.next(&done).find(|&it| it >= self.from);
            match next {
                Some(letter) => {
                    self.way.push((letter, done));
                    self.from = 0;
                }
                None if self.way.len() == self.poset.letters.len() && self.from == 0 => {
                    // The search continues as if the last letter had led to no word.
                    self.from = usize::MAX;
                    let letters = self.way.iter().map(|(it, _)| self.poset.letters[*it].clone());
                    return Some(Word(letters.collect()));
                }
                None => self.from = self.way.pop()?.0 + 1,
            }
        }
    }
}

fn has(set: &DownSet, letter: usize) -> bool {
    set[letter / 64] >> (letter % 64) & 1 == 1
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    place
}
