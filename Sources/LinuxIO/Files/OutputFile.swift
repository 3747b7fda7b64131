import Glibc

/// A file that grows by whole pieces: what is in it stays readable, whatever the next piece comes to.
package struct OutputFile: ~Copyable {
  private let descriptor: OwnedDescriptor
  private let path: String
  private let isNew: Bool
  /// Bytes of the pieces that are in it whole.
  package private(set) var length = 0

  /// Makes the file, for its owner only. One that exists is an error (`EEXIST`), or, where that was asked for, emptied when
  /// the first piece comes. A symbolic link is not followed (`ELOOP`): it may lead to a file that nobody meant.
  package init(path: String, replacing: Bool) throws(SystemError) {
    // NONBLOCK: a FIFO without a reader is an error, not a wait.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    var isNew = true
    let fd: Int32
    do throws(SystemError) {
      fd = try SystemCall.run("open") { unsafe open(path, flags | O_EXCL, 0o600) }
    } catch {
      guard replacing, error.errno == EEXIST else { throw error }
      isNew = false
      // The links in /dev are the system's own, as /dev/stdout is.
      let follow = path.hasPrefix("/dev/") ? 0 : O_NOFOLLOW
      fd = try SystemCall.run("open") { unsafe open(path, flags | follow, 0o600) }
    }
    descriptor = OwnedDescriptor(rawValue: fd)
    self.path = path
    self.isNew = isNew
  }

  /// Adds `bytes`, all of them or, where that fails, none.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    // What is no regular file has no length.
    if length == 0 { _ = ftruncate(descriptor.rawValue, 0) }
    let failure: Int32
    switch Stream.write(bytes, to: descriptor.rawValue) {
    case .written:
      length += bytes.count
      return
    case .readerGone: failure = EPIPE
    case .failed(let number): failure = number
    }
    // What is no regular file keeps what it has got.
    _ = ftruncate(descriptor.rawValue, length)
    _ = lseek(descriptor.rawValue, length, SEEK_SET)
    throw SystemError(operation: "write", errno: failure)
  }

  /// Waits until all of it is on the disk.
  package func synchronize() throws(SystemError) {
    let fd = descriptor.rawValue
    do throws(SystemError) {
      try SystemCall.run("fsync") { fsync(fd) }
    } catch {
      // A pipe or a device has no disk behind it.
      guard error.errno == EINVAL || error.errno == EROFS else { throw error }
    }
  }

  /// Takes the file away again where it was made here: nothing came of it.
  package func discard() {
    if isNew { _ = unsafe unlink(path) }
  }
}
