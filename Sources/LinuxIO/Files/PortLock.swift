import Glibc

/// A device reserved among our own programs, by a lock on a file that the kernel releases when its holder ends.
package struct PortLock: ~Copyable {
  private let file: LockFile

  init(holding file: consuming LockFile) {
    // Where the kernel does not list locks, a waiter watches this process; the lock holds without it.
    file.writeProcess()
    self.file = file
  }

  // Unlocked before it closes: the kernel reports a close before it drops the closed file's locks, and a waiter that
  // looks at once would still find it locked.
  deinit { file.unlock() }

  /// Where the lock file is.
  package var path: String { file.path }

  /// Reserves `device` by a file in the first of `directories` in which one can be opened or made that only users who may
  /// open the device can lock. Programs wait for each other's lock only where they come to the same folder; what excludes
  /// them in any case is the lock on the port itself (`SerialPort.open`), which needs the right to open it.
  package static func acquire(device: String, directories: [String]) throws(SystemError) -> PortLockResult {
    let name = LockFile.name(for: device)
    let access = DeviceAccess(path: device)
    var failure = SystemError(operation: "open lock file", errno: ENOENT)
    for directory in directories {
      let file: LockFile
      do throws(SystemError) {
        file = try LockFile(path: "\(directory)/\(name)", for: access)
      } catch {
        failure = error
        continue
      }
      guard try !file.lock() else { return .acquired(PortLock(holding: file)) }
      return try PortLockWaiter(for: file).retry()
    }
    throw failure
  }
}

/// Whether a device could be reserved.
package enum PortLockResult: ~Copyable {
  case acquired(PortLock)
  /// Another process has it, `pid` where the kernel confirms that; the waiter tells when to try again.
  case held(pid: Int32?, PortLockWaiter)
}
