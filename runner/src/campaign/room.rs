//! How many workers a machine has room for: one for each core, if there is memory for all of them. The results of a
//! campaign do not depend on this number.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// How many workers there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) workers: usize,
    /// Cores: one worker for each, if there is enough memory.
    pub(crate) cores: usize,
    /// Megabytes of memory; none if the system does not report it.
    pub(crate) memory: Option<u64>,
}

/// The room on this machine for workers that may have `limit` megabytes of memory each.
pub(crate) fn room(limit: u64) -> Room {
    // This respects the quota of a cgroup.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    fit(cores, memory(Path::new("/")), limit)
}

fn fit(cores: usize, memory: Option<u64>, limit: u64) -> Room {
    let fitting = memory.map_or(cores, |it| usize::try_from(it / limit).unwrap_or(usize::MAX));
    Room { workers: cores.min(fitting).max(1), cores, memory }
}

/// Available memory in megabytes: what the machine has, or the limit of this process's cgroup or of a cgroup around it,
/// whichever is smallest.
fn memory(root: &Path) -> Option<u64> {
    let cgroups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = cgroups.lines().flat_map(|line| limits(root, line));
    limits.chain(available(root)).min().map(|bytes| bytes >> 20)
}

/// Available memory according to `/proc/meminfo`, in bytes.
fn available(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// The limits, in bytes, of the cgroup in a line of `/proc/self/cgroup` and of the cgroups around it. The line is
/// `0::/PATH` in version 2 and `NUMBER:CONTROLLERS:/PATH` in version 1. In a container, the path may lie outside of the
/// container; then only the limit of the root counts.
fn limits(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (mounted, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        some if some.split(',').any(|it| it == "memory") => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return Vec::new(),
    };
    let path = PathBuf::from(path.trim_start_matches('/'));
    let read = |part: &Path| fs::read_to_string(root.join(mounted).join(part).join(file)).ok();
    // Without a limit, version 2 has `max`, and version 1 a number larger than any machine's memory.
    path.ancestors().filter_map(|part| read(part)?.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("it can be made");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        root
    }

    const MEMINFO: (&str, &str) = (
        "proc/meminfo",
        "MemTotal:       24683520 kB\nMemFree:        1048576 kB\nMemAvailable:   8388608 kB\n",
    );

    #[test]
    fn workers_are_as_many_as_cores_and_memory_allow() {
        let workers = |cores, memory, limit| fit(cores, memory, limit).workers;
        assert_eq!(workers(8, Some(64 << 10), 2048), 8);
        assert_eq!(workers(8, Some(6 << 10), 2048), 3);
        assert_eq!(workers(8, Some((6 << 10) - 1), 2048), 2);
        assert_eq!(workers(8, Some(100), 2048), 1);
        assert_eq!(workers(8, Some(0), 2048), 1);
        assert_eq!(workers(8, None, 2048), 8);
        assert_eq!(workers(1, Some(u64::MAX), 16), 1);
    }

    #[test]
    fn without_cgroups_what_is_available_counts() {
        assert_eq!(memory(root(&[MEMINFO]).path()), Some(8192));
        assert_eq!(memory(root(&[]).path()), None);
        assert_eq!(memory(root(&[("proc/meminfo", "MemAvailable: many\n")]).path()), None);
    }

    #[test]
    fn the_least_limit_of_the_cgroups_around_counts() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/user.slice/build.scope\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "4294967296\n"),
            ("sys/fs/cgroup/user.slice/build.scope/memory.max", "max\n"),
        ];
        assert_eq!(memory(root(&files).path()), Some(4096));
        let more = ("sys/fs/cgroup/user.slice/build.scope/memory.max", "1073741824\n");
        assert_eq!(memory(root(&[&files[..3], &[more]].concat()).path()), Some(1024));
        // A limit above the available memory has no effect.
        let large = ("sys/fs/cgroup/user.slice/memory.max", "42949672960\n");
        assert_eq!(memory(root(&[MEMINFO, files[1], large]).path()), Some(8192));
    }

    #[test]
    fn in_a_container_the_root_has_the_limit() {
        let limit = ("sys/fs/cgroup/memory.max", "2147483648\n");
        assert_eq!(memory(root(&[MEMINFO, ("proc/self/cgroup", "0::/\n"), limit]).path()), Some(2048));
        let elsewhere = ("proc/self/cgroup", "0::/../../docker/0123\n");
        assert_eq!(memory(root(&[MEMINFO, elsewhere, limit]).path()), Some(2048));
    }

    #[test]
    fn cgroups_of_version_1_count_too() {
        let cgroup = "12:cpu,cpuacct:/docker/0123\n5:memory:/docker/0123\n0::/docker/0123\n";
        let files = [
            MEMINFO,
            ("proc/self/cgroup", cgroup),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/cpu,cpuacct/docker/0123/memory.limit_in_bytes", "1\n"),
        ];
        assert_eq!(memory(root(&files).path()), Some(8192));
        let limited = ("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "3221225472\n");
        assert_eq!(memory(root(&[&files[..], &[limited]].concat()).path()), Some(3072));
    }
}
