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
