//! The streams of a worker, within bounds: however much a program prints, only what is needed is kept.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use insyn_verdicts::protocol::{self, Answer, MARK};

/// How many bytes at the end of a worker's standard error are kept.
const LAST_WORDS: usize = 16 << 10;

/// The largest number of bytes in an answer.
const LONGEST: usize = 256 << 20;

/// Something that was read from a worker.
#[derive(Debug)]
pub(super) enum Heard {
    Answer(Box<Answer>),
    /// An answer that is too long to be kept.
    TooLong,
}

/// The answers in the output of a worker; everything else is skipped. They end when the stream does.
pub(super) fn answers(stream: impl Read + Send + 'static) -> Receiver<Heard> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || hear(BufReader::new(stream), LONGEST, &send));
    receive
}

fn hear(mut stream: impl BufRead, longest: usize, send: &Sender<Heard>) {
    let mut line = Vec::new();
    // The rest of a line that is no answer, or is too long, is skipped.
    let mut skipped = false;
    while let Ok(chunk @ [_, ..]) = stream.fill_buf() {
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let is_ours = line.first().or(part.first()).is_some_and(|first| char::from(*first) == MARK);
        let mut heard = None;
        if !skipped && is_ours && line.len() + part.len() > longest {
            heard = Some(Heard::TooLong);
        }
        skipped |= !is_ours || heard.is_some();
        if !skipped {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            if !skipped {
                let answer = std::str::from_utf8(&line).ok().and_then(protocol::answer);
                heard = answer.map(|it| Heard::Answer(Box::new(it)));
            }
            skipped = false;
        }
        if skipped || end.is_some() {
            // Frees the memory of a long line.
            line = Vec::new();
        }
        if heard.is_some_and(|heard| send.send(heard).is_err()) {
            return;
        }
    }
}

/// The last part of a worker's standard error.
///
/// The command keeps a writing end of the pipe. When the process has ended, the command writes an end mark, which comes
/// after all that the process has written; so the reader does not wait for other processes that still hold the pipe open.
#[derive(Debug)]
pub(super) struct LastWords {
    writer: PipeWriter,
    end: String,
    reader: Option<JoinHandle<Vec<u8>>>,
}

impl LastWords {
    /// Listens to a pipe; `hear` is called with every line, as it comes. Also returns the end of the pipe for the process.
    pub(super) fn listen(hear: fn(&[u8])) -> io::Result<(LastWords, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        let theirs = writer.try_clone()?;
        // No program can know this mark.
        let end = format!("{MARK}the end {:016x}\n", RandomState::new().hash_one(std::process::id()));
        let mark = end.clone();
        let reader = Some(thread::spawn(move || end_of(BufReader::new(reader), mark.as_bytes(), hear)));
        Ok((LastWords { writer, end, reader }, theirs))
    }

    /// The last words of a process that has ended.
    pub(super) fn take(mut self) -> String {
        self.stop();
        let words = self.reader.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&words).trim_end().to_owned()
    }

    fn stop(&mut self) {
        // The process may have begun a line. If writing fails, the reader has ended already.
        let _ = self.writer.write_all(format!("\n{}", self.end).as_bytes());
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        if self.reader.is_some() {
            self.stop();
        }
    }
}

/// Reads up to the line `end`, calls `hear` with every line before it, and returns the last part of them.
fn end_of(mut errors: BufReader<PipeReader>, end: &[u8], hear: fn(&[u8])) -> Vec<u8> {
    let mut kept = VecDeque::with_capacity(LAST_WORDS);
    let mut line = Vec::new();
    // A very long line is read in parts.
    while let Ok(1..) = errors.by_ref().take(LAST_WORDS as u64).read_until(b'\n', &mut line) {
        if line == end {
            break;
        }
        hear(&line);
        kept.extend(line.drain(..));
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from a stream with answers of at most 40 bytes.
    fn heard(text: &[u8], chunk: usize) -> Vec<String> {
        let (send, receive) = mpsc::channel();
        hear(BufReader::with_capacity(chunk, text), 40, &send);
        drop(send);
        let word = |heard| match heard {
            Heard::Answer(answer) => format!("{answer:?}"),
            Heard::TooLong => "too long".to_owned(),
        };
        receive.iter().map(word).collect()
    }

    #[test]
    fn answers_are_found_among_what_programs_print() {
        let answer = |real: bool| format!("{MARK}{{\"answer\":\"testified\",\"real\":{real}}}\n");
        let long = format!("{MARK}{{\"answer\":\"refused\",\"message\":\"{}\"}}\n", "x".repeat(100));
        let text = [
            "running 1 test\ntest it ... \n",
            &answer(true),
            &"x".repeat(1000),
            &format!("{MARK}{{}}\n"),
            "\n\n\u{fffd}\n",
            &long,
            &answer(false),
            &format!("{MARK}no answer\n"),
            // This line has no end.
            answer(true).trim_end(),
        ]
        .concat();
        let expected = ["Testified { real: true }", "too long", "Testified { real: false }"];
        for chunk in [1, 2, 7, 64, 8192] {
            assert_eq!(heard(text.as_bytes(), chunk), expected, "in chunks of {chunk}");
            assert_eq!(heard(&[&[0xff, 0xfe, b'\n'], text.as_bytes()].concat(), chunk), expected);
        }
    }

    #[test]
    fn last_words_end_although_the_pipe_stays_open() {
        let (words, mut theirs) = LastWords::listen(|_| {}).expect("there are pipes");
        theirs.write_all(&b"x".repeat(100_000)).expect("somebody reads");
        theirs.write_all(b"\nout of memory\nand a line without an end").expect("somebody reads");
        let words = words.take();
        assert!(words.len() <= LAST_WORDS, "{}", words.len());
        assert!(words.ends_with("\nout of memory\nand a line without an end"), "{words}");
        drop(theirs);
    }
}
