pub(crate) use std::collections::BTreeMap;
pub(crate) use ::insyn::std::sync::Arc;
pub(crate) use ::insyn::std::sync::mpsc;
pub(crate) use ::insyn::std::sync::mpsc::*;
pub(crate) use ::insyn::std::thread as threads;
