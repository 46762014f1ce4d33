#[insyn::instrument]
pub(crate) use std::{collections::BTreeMap, sync::{Arc, mpsc::{self, *}}, thread as threads};
