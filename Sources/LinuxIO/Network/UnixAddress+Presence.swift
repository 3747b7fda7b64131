import Glibc

extension UnixAddress {
  /// Whether a socket lies at `path`, whoever may speak to it. In a folder that this user may not look into none is seen.
  package static func isSocket(at path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
