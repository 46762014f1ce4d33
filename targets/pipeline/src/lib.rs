//! Stages joined by bounded channels, so that a slow one holds the others back.

#[insyn::instrument]
pub mod pipeline {
    //! Each stage is a thread that takes items from the one before. Between two stages there is room for a fixed number
    //! of items: a stage that is faster than the next one waits.

    use std::fmt;
    use std::sync::mpsc::{self, Receiver};
    use std::thread::{self, JoinHandle};

    /// A pipeline that items of type `T` come out of.
    #[derive(Debug)]
    pub struct Pipeline<T> {
        capacity: usize,
        output: Receiver<T>,
        stages: Vec<JoinHandle<()>>,
    }

    impl<T: Send + 'static> Pipeline<T> {
        /// Begins a pipeline with the items that go into it, and room for `capacity` items between two stages.
        pub fn new<I>(capacity: usize, items: I) -> Self
        where
            I: IntoIterator<Item = T> + Send + 'static,
        {
            let (sender, output) = mpsc::sync_channel(capacity);
            let feed = move || {
                for item in items {
                    if sender.send(item).is_err() {
                        // A later stage has had enough.
                        return;
                    }
                }
            };
            Pipeline { capacity, output, stages: vec![thread::spawn(feed)] }
        }

        /// Adds a stage. What it makes nothing of is left out.
        pub fn stage<U, F>(mut self, mut work: F) -> Pipeline<U>
        where
            U: Send + 'static,
            F: FnMut(T) -> Option<U> + Send + 'static,
        {
            let (sender, output) = mpsc::sync_channel(self.capacity);
            let input = self.output;
            self.stages.push(thread::spawn(move || {
                for made in input.iter().filter_map(&mut work) {
                    if sender.send(made).is_err() {
                        return;
                    }
                }
            }));
            Pipeline { capacity: self.capacity, output, stages: self.stages }
        }

        /// Waits for all items that come out at the end.
        ///
        /// # Errors
        /// If a stage has panicked.
        pub fn finish(self) -> Result<Vec<T>, StagePanicked> {
            let items = self.output.iter().collect();
            self.end()?;
            Ok(items)
        }

        /// Waits for the first `count` items that come out at the end; the stages give up then.
        ///
        /// # Errors
        /// If a stage has panicked.
        pub fn take(self, count: usize) -> Result<Vec<T>, StagePanicked> {
            let items = self.output.iter().take(count).collect();
            self.end()?;
            Ok(items)
        }

        /// Takes nothing more out, which ends all stages, one after the other from the last to the first.
        fn end(self) -> Result<(), StagePanicked> {
            drop(self.output);
            self.stages.into_iter().try_for_each(|stage| stage.join().map_err(|_| StagePanicked))
        }
    }

    /// A stage has panicked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct StagePanicked;

    impl fmt::Display for StagePanicked {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a stage of the pipeline has panicked")
        }
    }

    impl std::error::Error for StagePanicked {}
}
