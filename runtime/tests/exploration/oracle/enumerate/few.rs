//! Short lists that are copied with a state.

/// A few small numbers, in order.
#[derive(Clone, Copy)]
pub(super) struct Few {
    items: [u8; 8],
    len: u8,
}

impl Few {
    pub(super) const NONE: Few = Few { items: [u8::MAX; 8], len: 0 };

    fn items(&self) -> &[u8] {
        &self.items[..usize::from(self.len)]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn first(&self) -> Option<u8> {
        self.items().first().copied()
    }

    pub(super) fn latest(&self) -> Option<usize> {
        self.items().last().copied().map(usize::from)
    }

    pub(super) fn push(&mut self, item: u8) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    pub(super) fn pop(&mut self) {
        self.len -= 1;
        self.items[usize::from(self.len)] = u8::MAX;
    }

    pub(super) fn push_first(&mut self, item: u8) {
        assert!(usize::from(self.len) < self.items.len(), "few enough");
        self.items.rotate_right(1);
        self.items[0] = item;
        self.len += 1;
    }

    pub(super) fn pop_first(&mut self) {
        self.items.rotate_left(1);
        self.len -= 1;
        self.items[usize::from(self.len)..].fill(u8::MAX);
    }

    pub(super) fn encode(&self, code: &mut Vec<u8>) {
        code.push(self.len);
        code.extend_from_slice(self.items());
    }
}
