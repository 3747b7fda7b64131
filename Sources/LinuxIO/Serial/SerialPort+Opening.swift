import Glibc

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
