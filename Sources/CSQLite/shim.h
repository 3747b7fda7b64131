#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: apt install libsqlite3-dev"
#endif
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

/// Opens a file as open(2) does, with a descriptor of at least 3.
static inline int csqlite_open_high(const char *path, int flags, int mode) {
  const int descriptor = open(path, flags, mode);
  if (descriptor < 0 || descriptor > 2) return descriptor;
  const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  close(descriptor);
  return high;
}

/// From now on, SQLite opens files in a process one of whose standard descriptors is closed, without access to /dev/null.
///
/// SQLite uses no descriptor below 3. If open(2) returns one, SQLite opens /dev/null in its place and tries again; it fails with
/// SQLITE_CANTOPEN if it cannot (os_unix.c, robust_open).
static inline int csqlite_avoid_standard_descriptors(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(0);
  if (!vfs || vfs->iVersion < 3) return SQLITE_ERROR;
  return vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)csqlite_open_high);
}
