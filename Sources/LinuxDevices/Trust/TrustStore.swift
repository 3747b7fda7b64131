internal import Glibc
package import LinuxIO

/// Keeps the `TrustList` in the state folder: written whole beside the old file, then renamed over it.
package struct TrustStore: Hashable, Sendable {
  package static let fileName = "trusted-devices"

  /// The file's path.
  package let path: String

  /// - Parameter folder: the state folder; it exists already.
  package init(folder: String) { path = folder + "/" + Self.fileName }

  /// What is trusted now; nothing, where there is no file or it cannot be read.
  package func load() -> TrustList {
    TrustList(parsing: FileTree().bytes(of: path, limit: TrustList.maximumFileBytes) ?? [])
  }
}

extension TrustStore {
  /// Replaces the file. A crash in between leaves the old list or the new one, never half of one.
  package func save(_ list: TrustList) throws(SystemError) {
    let temporary = path + ".new"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw SystemError(operation: "open \(temporary)", errno: errno) }
    let bytes = list.serialized()
    var written = 0
    var failure: SystemError?
    while written < bytes.count, failure == nil {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { failure = SystemError(operation: "write \(temporary)", errno: errno) }
      written += max(count, 0)
    }
    if failure == nil, fsync(descriptor) != 0 { failure = SystemError(operation: "fsync \(temporary)", errno: errno) }
    _ = close(descriptor)
    if failure == nil, unsafe rename(temporary, path) != 0 {
      failure = SystemError(operation: "rename \(path)", errno: errno)
    }
    if let failure {
      _ = unsafe unlink(temporary)
      throw failure
    }
  }
}
