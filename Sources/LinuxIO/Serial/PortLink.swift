import Glibc

/// A symbolic link to a pseudo-terminal, removed when this value is destroyed.
///
/// While the link exists, a lock outside its folder keeps other programs of this project from replacing it. The lock
/// ends with the process, so that the link of a killed program can be replaced.
package struct PortLink: ~Copyable {
  package let path: String
  private let target: String
  private let lock: LockFile
  private static let folder = "/dev/pts/"

  /// Creates the link. A link that a killed process has left is replaced.
  ///
  /// - Parameter lockFolders: folders for the lock; the first in which it can be created is used.
  package init(path: String, target: String, lockFolders: [String]) throws(PortLinkFailure) {
    let lock = try Self.lock(path, lockFolders)
    if let old = SymbolicLink.target(of: path), Self.isStale(old, lock) { _ = unsafe unlink(path) }
    do throws(SystemError) {
      try SystemCall.run("symlink") { unsafe symlink(target, path) }
    } catch {
      throw error.isExistence ? .exists : .system(error)
    }
    lock.write(target)
    (self.path, self.target) = (path, target)
    self.lock = lock
  }

  private static func lock(_ path: String, _ folders: [String]) throws(PortLinkFailure) -> LockFile {
    let holder: Int32?
    do throws(SystemError) {
      let file = try LockFile(forLink: path, in: folders)
      if try file.lock() { return file }
      holder = file.holder
    } catch {
      throw .system(error)
    }
    throw .inUse(processID: holder)
  }

  deinit {
    // Another program may have replaced the link.
    if SymbolicLink.target(of: path) == target { _ = unsafe unlink(path) }
    lock.unlock()
  }

  /// Whether a link may be replaced: a program of this project created it, or it leads to a terminal that no longer
  /// exists. Another program may have created a link to a terminal of its own.
  private static func isStale(_ target: String, _ lock: borrowing LockFile) -> Bool {
    let isGone = unsafe access(target, F_OK) != 0
    return target.hasPrefix(folder) && (isGone || lock.text() == target)
  }
}

/// Why a link cannot be created.
package enum PortLinkFailure: Error, Hashable, Sendable {
  /// Another running program of this project has created the link; `processID` is its process if the kernel lists it.
  case inUse(processID: Int32?)
  /// Something else has that name.
  case exists
  case system(SystemError)
}
