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
