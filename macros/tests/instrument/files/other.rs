use std::thread;
