internal import CLinux
import Glibc

/// A serial port reserved for this process: raw bytes, 8N1. Closing the port restores its earlier settings except
/// HUPCL, which stays off: with HUPCL every close would drop DTR, and the next open would reset boards that are wired
/// to DTR.
package struct SerialPort: ~Copyable {
  private let owned: OwnedDescriptor
  /// The settings to restore; `nil` for a device without line settings.
  private let original: SerialLine?
  private let isMarkedExclusive: Bool

  /// Whether the device could be opened for writing as well.
  package let isWritable: Bool

  /// Checks, without opening it, whether the file at `path` can be a receiver's port at all.
  package static func check(path: String) throws(SerialPortError) {
    _ = try DeviceKind(serialStep { () throws(SystemError) in try FileStatus.of(path) })
  }

  /// Opens the device at `path` exclusively, at `baud` bits per second or its current baud rate.
  package static func open(path: String, baud: Int?) throws(SerialPortError) -> SerialPort {
    let status = try serialStep { () throws(SystemError) in try FileStatus.of(path) }
    _ = try DeviceKind(status)

    var isWritable = false
    let descriptor = try openDevice(path, status, isWritable: &isWritable)
    let fd = descriptor.rawValue
    // The path may lead to another file by now.
    let kind = try DeviceKind(serialStep { () throws(SystemError) in try FileStatus.of(fd) })
    if kind != .gnss { try requireTerminal(fd) }
    try reserve(fd)
    guard kind != .gnss else {
      return SerialPort(owned: descriptor, original: nil, isMarkedExclusive: false, isWritable: isWritable)
    }
    // TIOCEXCL does not keep root from opening the device.
    guard clinux_exclusive_get(fd) != 1 else { throw .inUse }
    let original = try serialStep { () throws(SystemError) in try SerialLine(of: fd) }
    // Not on a pseudo-terminal, where the mark would remain after a program was killed.
    let isMarked = kind != .pseudoTerminal && clinux_exclusive_set(fd) == 0
    // From here on the deinit restores the settings.
    let port = SerialPort(owned: descriptor, original: original, isMarkedExclusive: isMarked, isWritable: isWritable)
    try serialStep { () throws(SystemError) in
      let raw = original.raw()
      try (baud == nil ? raw : raw.atSpeed(baud ?? 0)).apply(to: fd)
    }
    // Data that arrived at another baud rate or was edited by the terminal driver is not the receiver's output.
    port.flushInput()
    return port
  }

  private init(owned: consuming OwnedDescriptor, original: SerialLine?, isMarkedExclusive: Bool, isWritable: Bool) {
    self.owned = owned
    self.original = original
    self.isMarkedExclusive = isMarkedExclusive
    self.isWritable = isWritable
  }

  // Never blocks: drops unsent data, which would be sent at the wrong baud rate, or delay the close by the kernel's 30
  // seconds.
  deinit {
    // Not left to the close: a child process that another thread has just forked has a copy of the descriptor until it
    // calls exec, and that copy would keep the lock.
    defer { _ = flock(owned.rawValue, LOCK_UN) }
    guard let original else { return }
    _ = tcflush(owned.rawValue, TCOFLUSH)
    // Fails if the device was removed, in which case there is nothing to restore.
    try? original.withoutHangUpOnClose().apply(to: owned.rawValue)
    if isMarkedExclusive { _ = clinux_exclusive_clear(owned.rawValue) }
  }

  /// The descriptor, for an event loop.
  package var descriptor: Int32 { owned.rawValue }

  /// Bits per second, as set in the driver; `nil` for a device without line settings.
  package var speed: Int? { original == nil ? nil : try? SerialLine(of: descriptor).speed }

  /// Changes the baud rate at once; does nothing for a device without line settings.
  package func setSpeed(_ baud: Int) throws(SystemError) {
    guard original != nil else { return }
    try SerialLine(of: descriptor).atSpeed(baud).apply(to: descriptor)
  }

  /// Reads available data, at most `buffer`'s size.
  package func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(descriptor, into: &buffer, hangUpIsEnd: true)
  }

  /// Writes as much of `bytes` as the driver accepts now.
  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.write(descriptor, bytes[...]) }

  /// The driver's error counts; `nil` if it does not count errors.
  package var lineErrors: LineErrorCount? { LineErrorCount(of: descriptor) }

  /// Drops data that has arrived and was not read.
  package func flushInput() { _ = tcflush(descriptor, TCIFLUSH) }
}

extension SerialPort {
  /// Opens for reading and, if allowed, for writing: a read-only port still delivers positions.
  static func openDevice(
    _ path: String, _ status: stat, isWritable: inout Bool
  ) throws(SerialPortError) -> OwnedDescriptor {
    // NONBLOCK also keeps `open` from waiting for a carrier.
    let flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    do throws(SystemError) {
      let fd = try SystemCall.run("open") { unsafe Glibc.open(path, O_RDWR | flags) }
      isWritable = true
      return OwnedDescriptor(rawValue: fd)
    } catch {
      guard error.errno == EACCES || error.errno == EPERM else { throw serialError(error, status) }
    }
    let fd = try serialStep(status) { () throws(SystemError) in
      try SystemCall.run("open") { unsafe Glibc.open(path, O_RDONLY | flags) }
    }
    isWritable = false
    return OwnedDescriptor(rawValue: fd)
  }

  /// Throws unless `descriptor` is a terminal.
  static func requireTerminal(_ descriptor: Int32) throws(SerialPortError) {
    do throws(SystemError) {
      try SystemCall.run("isatty") { isatty(descriptor) == 1 ? 0 : -1 }
    } catch {
      throw error.errno == ENOTTY ? .isNotSerialPort : serialError(error, nil)
    }
  }

  /// Locks the device itself: unlike TIOCEXCL, this lock also excludes root, and it always ends with the process.
  static func reserve(_ descriptor: Int32) throws(SerialPortError) {
    do throws(SystemError) {
      try SystemCall.run("flock") { flock(descriptor, LOCK_EX | LOCK_NB) }
    } catch {
      throw error.errno == EWOULDBLOCK ? .inUse : serialError(error, nil)
    }
  }

  /// Runs `body`, converting its error to a `SerialPortError`.
  static func serialStep<R>(
    _ status: stat? = nil, _ body: () throws(SystemError) -> R
  ) throws(SerialPortError) -> R {
    do throws(SystemError) { return try body() } catch { throw serialError(error, status) }
  }

  private static func serialError(_ error: SystemError, _ status: stat?) -> SerialPortError {
    switch error.errno {
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: .doesNotExist
    case EACCES:
      .permissionDenied(owningGroup: status.flatMap(worthJoining))
    case EPERM: .permissionDenied(owningGroup: nil)
    case EBUSY: .inUse
    case ENXIO, ENODEV, EIO: .vanished
    default: .system(error)
    }
  }

  /// The group that owns the device, if it may read and write.
  private static func worthJoining(_ status: stat) -> String? {
    status.st_mode & 0o060 == 0o060 ? GroupFile.name(of: status.st_gid) : nil
  }
}

/// Why a path cannot be used as a serial port.
package enum SerialPortError: Error, Hashable, Sendable {
  case doesNotExist
  case isDirectory
  case isRegularFile
  case isFIFO
  /// Another kind of device, a socket, or a console.
  case isNotSerialPort
  /// `owningGroup`: the group to join, if there is one that may read and write.
  case permissionDenied(owningGroup: String?)
  /// Another program uses it.
  case inUse
  /// The device node exists but does not work: unplugged in the meantime, or without hardware behind it.
  case vanished
  case system(SystemError)
}

/// Reports when a program closes a device node, so that no polling is needed.
package struct PortReleaseWatch: ~Copyable {
  private let inotify: Inotify

  /// Starts to watch the node at `path`.
  package init(path: String) throws(SystemError) {
    inotify = try Inotify(path: path, mask: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE))
  }

  /// Readable when a process has closed the node since the watch began.
  package var descriptor: Int32 { inotify.descriptor }
}
