//! From each view to the other two, by way of [`Nodes`](super::nodes::Nodes): one step out of a view and one into another.

use super::{ObjectView, ThreadView, TotalView, ViewError};

impl TotalView {
    /// The same events in a list for each thread.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_threads(&self) -> Result<ThreadView, ViewError> {
        Ok(ThreadView::from_nodes(&self.nodes()?.0))
    }

    /// The same events in a list for each object.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_objects(&self) -> Result<ObjectView, ViewError> {
        Ok(ObjectView::from_nodes(&self.nodes()?.0))
    }
}

impl ThreadView {
    /// The same events in a list for each object.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_objects(&self) -> Result<ObjectView, ViewError> {
        Ok(ObjectView::from_nodes(&self.nodes()?))
    }

    /// The same events in their canonical total order.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_total(&self) -> Result<TotalView, ViewError> {
        TotalView::from_nodes(&self.nodes()?)
    }
}

impl ObjectView {
    /// The same events in a list for each thread.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_threads(&self) -> Result<ThreadView, ViewError> {
        Ok(ThreadView::from_nodes(&self.nodes()?))
    }

    /// The same events in their canonical total order.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn to_total(&self) -> Result<TotalView, ViewError> {
        TotalView::from_nodes(&self.nodes()?)
    }
}
