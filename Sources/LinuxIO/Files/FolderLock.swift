import Glibc

/// The right to write in a folder, for one process at a time; it ends with this value, or with the process.
package struct FolderLock: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// Takes the lock; an error where someone else has it (`SystemError.isHeldByOther`).
  package init(_ path: String) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = OwnedDescriptor(rawValue: try SystemCall.run("open") { unsafe open(path, flags) })
    let fd = descriptor.rawValue
    try SystemCall.run("flock") { flock(fd, LOCK_EX | LOCK_NB) }
    self.descriptor = descriptor
  }
}
