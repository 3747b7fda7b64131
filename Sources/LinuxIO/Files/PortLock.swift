internal import CLinux
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

/// Waits for another process to give a device back, without looking again and again.
package struct PortLockWaiter: ~Copyable {
  /// Kept open throughout: closing it would be reported to this waiter as if the holder had closed.
  private let file: LockFile
  private let changes: Inotify
  private let holderExit: HolderExit
  private let epoll: OwnedDescriptor

  init(for file: consuming LockFile) throws(SystemError) {
    let epoll = OwnedDescriptor(rawValue: try SystemCall.run("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    // By descriptor, so that it is this file even if the name has come to mean another. A write is a new holder's.
    let changes = try Inotify(
      path: "/proc/self/fd/\(file.descriptor)", mask: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_MODIFY))
    let (loop, reports) = (epoll.rawValue, changes.descriptor)
    try SystemCall.run("epoll_ctl") { clinux_epoll_control(loop, EPOLL_CTL_ADD, reports, EPOLLIN.rawValue, 0) }
    self.file = file
    self.changes = changes
    self.epoll = epoll
    holderExit = HolderExit()
  }

  /// For an event loop: readable when it is worth calling `retry`. (An epoll descriptor over an inotify one and a pidfd.)
  package var descriptor: Int32 { epoll.rawValue }

  /// Tries again; `descriptor` closes where that succeeds, so unwatch it before. Also right after making one: the holder may have gone before we were watching.
  package consuming func retry() throws(SystemError) -> PortLockResult {
    while !changes.next().isEmpty {}
    // The lock is dropped just after the close is reported where the holder was killed; its exit comes after both.
    let holder = file.holder
    holderExit.watch(holder ?? file.process(), in: epoll.rawValue)
    guard try file.lock() else { return .held(pid: holder, self) }
    return .acquired(PortLock(holding: file))
  }
}

/// The exit of the process that holds a lock, as one more source of an epoll descriptor.
private final class HolderExit {
  private var descriptor: OwnedDescriptor?

  /// Watches `process` instead of any other, unless it has ended already: then somebody else holds the lock, and a
  /// descriptor that stays readable would keep the loop busy.
  func watch(_ process: Int32?, in epoll: Int32) {
    // Closing it takes it out of the epoll descriptor.
    descriptor = nil
    guard let process, let fd = try? SystemCall.run("pidfd_open", { clinux_pidfd_open(process) }) else { return }
    let opened = OwnedDescriptor(rawValue: fd)
    var state = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&state, 1, 0) == 0 else { return }
    _ = clinux_epoll_control(epoll, EPOLL_CTL_ADD, fd, EPOLLIN.rawValue, 1)
    descriptor = consume opened
  }
}
