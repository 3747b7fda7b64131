import Foundation
import LinuxIO
import WireFormats

/// A receiver at the other end of a pseudo-terminal that is plugged in and unplugged under one name, like one behind a udev link.
final class PluggableReceiver {
  let path: String
  /// The latitude at the start, in degrees north of the equator.
  private let latitude: Int
  private var terminal: PseudoTerminal?
  /// The receiver's clock is correct at the start, because an epoch that is received from its middle on gets the date of the
  /// machine.
  private let beginning = time(nil)
  private var second = 0
  private var buffer = [UInt8](repeating: 0, count: 4096)

  init(folder: URL, name: String = "gps", latitude: Int = 47) {
    path = folder.appendingPathComponent(name).path
    self.latitude = latitude
  }

  /// The node to which the name leads.
  var node: String? { terminal?.path }

  func plugIn() throws {
    let terminal = try PseudoTerminal()
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: terminal.path)
    self.terminal = consume terminal
  }

  func unplug() {
    terminal = nil
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Sends one epoch of an NMEA receiver that drives north.
  func speak() {
    second += 1
    var now = beginning + second
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    let time = unsafe String(format: "%02d%02d%02d.00", parts.tm_hour, parts.tm_min, parts.tm_sec)
    let date = unsafe String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let position = String(format: "%02d%07.4f,N,00833.9000,E", latitude, 17.0 + Double(second) * 0.001)
    send(NMEASentence.encode("GPRMC,\(time),A,\(position),3.6,0.0,\(date),,,A"))
    send(NMEASentence.encode("GPGGA,\(time),\(position),1,08,1.0,400.0,M,47.0,M,,"))
    send(NMEASentence.encode("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5"))
  }

  func send(_ bytes: [UInt8]) { _ = terminal?.write(bytes) }

  /// The bytes that the driver wrote.
  func written() -> [UInt8] {
    guard case .bytes(let count)? = terminal?.read(into: &buffer) else { return [] }
    return Array(buffer[..<count])
  }
}
