internal import CLinux
import Glibc

/// A serial port of one's own: raw bytes, 8N1, and as it was before when it closes; but for HUPCL, which stays off: with it
/// every closing drops DTR, and the next opening resets the boards that are wired to it.
package struct SerialPort: ~Copyable {
  private let owned: OwnedDescriptor
  /// The settings to go back to; `nil` for a device that has none.
  private let original: SerialLine?
  private let isMarkedExclusive: Bool

  /// Whether the device could be opened for writing too.
  package let isWritable: Bool

  /// Says, without opening it, whether the file at `path` could be a receiver's port at all.
  package static func check(path: String) throws(SerialPortError) {
    _ = try DeviceKind(serialStep { () throws(SystemError) in try FileStatus.of(path) })
  }

  /// Opens the device at `path` for this program only, at `baud` bits per second or the speed it has.
  package static func open(path: String, baud: Int?) throws(SerialPortError) -> SerialPort {
    let status = try serialStep { () throws(SystemError) in try FileStatus.of(path) }
    _ = try DeviceKind(status)

    var isWritable = false
    let descriptor = try openDevice(path, status, isWritable: &isWritable)
    let fd = descriptor.rawValue
    // What the path names may have changed since.
    let kind = try DeviceKind(serialStep { () throws(SystemError) in try FileStatus.of(fd) })
    if kind != .gnss { try requireTerminal(fd) }
    try reserve(fd)
    guard kind != .gnss else {
      return SerialPort(owned: descriptor, original: nil, isMarkedExclusive: false, isWritable: isWritable)
    }
    // Root's open was not refused.
    guard clinux_exclusive_get(fd) != 1 else { throw .inUse }
    let original = try serialStep { () throws(SystemError) in try SerialLine(of: fd) }
    // Not on a pseudo-terminal, where the mark would outlive a program that was killed.
    let isMarked = kind != .pseudoTerminal && clinux_exclusive_set(fd) == 0
    // From here on the deinit puts back what is changed.
    let port = SerialPort(owned: descriptor, original: original, isMarkedExclusive: isMarked, isWritable: isWritable)
    try serialStep { () throws(SystemError) in
      let raw = original.raw()
      try (baud == nil ? raw : raw.atSpeed(baud ?? 0)).apply(to: fd)
    }
    // What came at another speed or was edited by the terminal driver is not the receiver's word.
    port.flushInput()
    return port
  }

  private init(owned: consuming OwnedDescriptor, original: SerialLine?, isMarkedExclusive: Bool, isWritable: Bool) {
    self.owned = owned
    self.original = original
    self.isMarkedExclusive = isMarkedExclusive
    self.isWritable = isWritable
  }

  // Never waits: what is unsent would go out at the wrong speed, or hold the close up for the kernel's 30 seconds.
  deinit {
    guard let original else { return }
    _ = tcflush(owned.rawValue, TCOFLUSH)
    // Fails where the device is gone, and then there is nothing to put back.
    try? original.withoutHangUpOnClose().apply(to: owned.rawValue)
    if isMarkedExclusive { _ = clinux_exclusive_clear(owned.rawValue) }
  }

  /// The descriptor, for an event loop.
  package var descriptor: Int32 { owned.rawValue }

  /// Bits per second, as the driver has set them; `nil` for a device without line settings.
  package var speed: Int? { original == nil ? nil : try? SerialLine(of: descriptor).speed }

  /// Changes the speed at once; nothing to do for a device without line settings.
  package func setSpeed(_ baud: Int) throws(SystemError) {
    guard original != nil else { return }
    try SerialLine(of: descriptor).atSpeed(baud).apply(to: descriptor)
  }

  /// Takes what has arrived, at most `buffer`'s size.
  package func read(into buffer: inout [UInt8]) -> ReadResult {
    Transfer.read(descriptor, into: &buffer, hangUpIsEnd: true)
  }

  /// Sends as much of `bytes` as the driver takes now.
  package func write(_ bytes: [UInt8]) -> WriteResult { Transfer.write(descriptor, bytes[...]) }

  /// What its driver has counted on the line; `nil` where it does not count.
  package var lineErrors: LineErrorCount? { LineErrorCount(of: descriptor) }

  /// Drops what has arrived and was not read.
  package func flushInput() { _ = tcflush(descriptor, TCIFLUSH) }
}

extension SerialPort {
  /// Opens for reading and, if allowed, for writing: a port that one may only read still gives positions.
  static func openDevice(
    _ path: String, _ status: stat, isWritable: inout Bool
  ) throws(SerialPortError) -> OwnedDescriptor {
    // NONBLOCK also keeps the open itself from waiting for a carrier.
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

  /// Locks the device itself: that also stops root, unlike TIOCEXCL, and ends with the program in any case.
  static func reserve(_ descriptor: Int32) throws(SerialPortError) {
    do throws(SystemError) {
      try SystemCall.run("flock") { flock(descriptor, LOCK_EX | LOCK_NB) }
    } catch {
      throw error.errno == EWOULDBLOCK ? .inUse : serialError(error, nil)
    }
  }

  /// `body`, its failure told in a serial port's terms.
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

  /// The group that owns the device, where it may read and write.
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
  /// The group to join, where there is one that may read and write.
  case permissionDenied(owningGroup: String?)
  /// Another program has it.
  case inUse
  /// It is listed but does not answer: unplugged meanwhile, or without hardware behind it.
  case vanished
  case system(SystemError)
}

/// Tells when a program that has a device node open closes it, so that nobody has to look again and again.
package struct PortReleaseWatch: ~Copyable {
  private let inotify: Inotify

  /// Watches the node at `path`, from now on.
  package init(path: String) throws(SystemError) {
    inotify = try Inotify(path: path, mask: UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE))
  }

  /// Readable when somebody has closed the node since the watch began.
  package var descriptor: Int32 { inotify.descriptor }
}
