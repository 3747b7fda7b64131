internal import CLinux
import Glibc

/// Reserves a device among this project's programs, by a file lock that the kernel releases when its holder exits.
package struct PortLock: ~Copyable {
  private let file: LockFile

  init(holding file: consuming LockFile) {
    // If the kernel does not list locks, a waiting process watches the process written here instead; failing to write
    // it does not affect the lock.
    file.writeProcess()
    self.file = file
  }

  // Unlock before closing: the kernel reports a close before it drops the closed file's locks, so a waiter that checks at
  // once would still find it locked.
  deinit { file.unlock() }

  /// The path of the lock file.
  package var path: String { file.path }

  /// Reserves `device` by a lock file in the first of `directories` in which the file can be opened or created so that
  /// only users who may open the device can lock it. Programs wait for each other only if they use the same directory.
  /// In any case they exclude each other by the lock on the port itself (`SerialPort.open`), which requires permission
  /// to open the port.
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
  /// Another process holds the device: `pid`, if the kernel lists the lock. The waiter reports when to try again.
  case held(pid: Int32?, PortLockWaiter)
}

/// Waits, without polling, until another process releases a device.
package struct PortLockWaiter: ~Copyable {
  /// Stays open: closing it would be reported to this waiter as if the holder had closed the file.
  private let file: LockFile
  private let changes: Inotify
  private let holderExit: HolderExit
  private let epoll: OwnedDescriptor

  init(for file: consuming LockFile) throws(SystemError) {
    let epoll = OwnedDescriptor(rawValue: try SystemCall.run("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    // By descriptor, so that the watched file is the same even if its name was reused. A write means a new holder.
    let changes = try Inotify(
      path: "/proc/self/fd/\(file.descriptor)", mask: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_MODIFY))
    let (loop, reports) = (epoll.rawValue, changes.descriptor)
    try SystemCall.run("epoll_ctl") { clinux_epoll_control(loop, EPOLL_CTL_ADD, reports, EPOLLIN.rawValue, 0) }
    self.file = file
    self.changes = changes
    self.epoll = epoll
    holderExit = HolderExit()
  }

  /// For an event loop: readable when `retry` may succeed. (An epoll descriptor for an inotify descriptor and a pidfd.)
  package var descriptor: Int32 { epoll.rawValue }

  /// Tries again. Success closes `descriptor`, so unwatch it before the call. Also call this once right after creating
  /// a waiter: the holder may have exited before the watch began.
  package consuming func retry() throws(SystemError) -> PortLockResult {
    while !changes.next().isEmpty {}
    // If the holder is killed, the close is reported just before its lock is dropped; the exit is reported after both.
    let holder = file.holder
    holderExit.watch(holder ?? file.process(), in: epoll.rawValue)
    guard try file.lock() else { return .held(pid: holder, self) }
    return .acquired(PortLock(holding: file))
  }
}

/// Adds the exit of the lock's holder as another source to an epoll descriptor.
private final class HolderExit {
  private var descriptor: OwnedDescriptor?

  /// Watches `process` instead of the previous one. If it has exited already, it is not watched: another process then
  /// holds the lock, and a descriptor that stays readable would keep the loop busy.
  func watch(_ process: Int32?, in epoll: Int32) {
    // Closing a descriptor removes it from the epoll set.
    descriptor = nil
    guard let process, let fd = try? SystemCall.run("pidfd_open", { clinux_pidfd_open(process) }) else { return }
    let opened = OwnedDescriptor(rawValue: fd)
    var state = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&state, 1, 0) == 0 else { return }
    _ = clinux_epoll_control(epoll, EPOLL_CTL_ADD, fd, EPOLLIN.rawValue, 1)
    descriptor = consume opened
  }
}
