//! The room with an early disconnect: it ends when its door is closed, and what those inside say from then on is lost.

#[insyn::instrument]
pub mod room {
    //! The room is a thread that listens at its door and to its members at once. Everything a member does goes through
    //! one channel, so that its last words are heard before it leaves, and a closed door ends no conversation.

    use std::collections::BTreeMap;
    use std::thread::{self, JoinHandle};

    use crossbeam_channel::{Receiver, Sender, select, unbounded};

    /// What members see.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Line {
        /// Somebody has come.
        Joined(String),
        /// Somebody has said something.
        Said(String, String),
        /// Somebody has left.
        Left(String),
    }

    /// Somebody at the door.
    struct Guest {
        name: String,
        lines: Sender<Line>,
    }

    /// What a member does.
    enum Act {
        Say(String, String),
        Leave(String),
    }

    /// A room that can be joined. It is there until this and all seats are gone.
    #[derive(Debug)]
    pub struct Room {
        door: Sender<Guest>,
        acts: Sender<Act>,
        thread: JoinHandle<Vec<Line>>,
    }

    impl Room {
        /// Opens an empty room.
        pub fn open() -> Self {
            let (door, guests) = unbounded();
            let (acts, acted) = unbounded();
            let thread = thread::spawn(move || Keeper::default().keep(guests, &acted));
            Room { door, acts, thread }
        }

        /// Comes in; waits until the room has seen it.
        ///
        /// # Errors
        /// If the room is gone.
        pub fn join(&self, name: &str) -> Result<Seat, Gone> {
            let (sender, lines) = unbounded();
            let guest = Guest { name: name.to_owned(), lines: sender };
            self.door.send(guest).map_err(|_| Gone)?;
            lines.recv().map_err(|_| Gone)?;
            Ok(Seat { name: name.to_owned(), acts: self.acts.clone(), lines })
        }

        /// Closes the door, waits until everybody has left, and returns all that happened.
        ///
        /// # Errors
        /// If the room has panicked.
        pub fn close(self) -> Result<Vec<Line>, Gone> {
            drop((self.door, self.acts));
            self.thread.join().map_err(|_| Gone)
        }
    }

    /// A member's place.
    #[derive(Debug)]
    pub struct Seat {
        name: String,
        acts: Sender<Act>,
        lines: Receiver<Line>,
    }

    impl Seat {
        /// Says something to all others.
        ///
        /// # Errors
        /// If the room is gone.
        pub fn say(&self, words: &str) -> Result<(), Gone> {
            self.acts.send(Act::Say(self.name.clone(), words.to_owned())).map_err(|_| Gone)
        }

        /// What others have done so far.
        pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
            self.lines.try_iter()
        }

        /// Leaves.
        ///
        /// # Errors
        /// If the room is gone.
        pub fn leave(self) -> Result<(), Gone> {
            self.acts.send(Act::Leave(self.name)).map_err(|_| Gone)
        }
    }

    /// Keeps a room: knows who is there, and what has happened.
    #[derive(Default)]
    struct Keeper {
        members: BTreeMap<String, Sender<Line>>,
        minutes: Vec<Line>,
    }

    impl Keeper {
        fn keep(mut self, guests: Receiver<Guest>, acts: &Receiver<Act>) -> Vec<Line> {
            loop {
                select! {
                    recv(guests) -> guest => match guest {
                        Ok(guest) => self.welcome(guest),
                        Err(_) => return self.minutes,
                    },
                    recv(acts) -> act => match act {
                        Ok(act) => self.note(act),
                        Err(_) => return self.minutes,
                    },
                }
            }
        }

        fn welcome(&mut self, Guest { name, lines }: Guest) {
            self.members.insert(name.clone(), lines);
            self.tell(Line::Joined(name), None);
        }

        fn note(&mut self, act: Act) {
            match act {
                // What somebody says who is not here is noise.
                Act::Say(name, words) if self.members.contains_key(&name) => {
                    self.tell(Line::Said(name.clone(), words), Some(&name));
                }
                Act::Say(..) => {}
                Act::Leave(name) => {
                    self.members.remove(&name);
                    self.tell(Line::Left(name), None);
                }
            }
        }

        /// Tells all members but one.
        fn tell(&mut self, line: Line, except: Option<&str>) {
            for (name, member) in &self.members {
                if except != Some(name.as_str()) {
                    // A seat that was dropped hears nothing.
                    let _ = member.send(line.clone());
                }
            }
            self.minutes.push(line);
        }
    }

    /// The room is gone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Gone;

    impl std::fmt::Display for Gone {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the room is gone")
        }
    }

    impl std::error::Error for Gone {}
}
