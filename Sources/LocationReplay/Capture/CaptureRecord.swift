package import Geodesy

/// The constants of the capture format: the data that a session's sources sent, with arrival times, as lines of text.
///
/// ```
/// swift-corelocation capture 1
/// # u-blox 7 mouse on a window sill
/// 0 start 0 2026-08-01T12:00:00.25Z
/// 0 device 1 path=/dev/ttyACM0 usb=1546:01a7 product=u-blox\x207 baud=9600
/// 81250 bytes 1 $GPRMC,120000.00,A,4717.11437,N,00833.91522,E,0.004,,010826,,,A*78\r\n
/// 9000000 gone 1
/// ```
/// A line is: microseconds since the start (never less than in the line before), kind, source number, and the kind's
/// data, separated by single spaces. Source 0 is the recorder, devices count from 1. Lines that begin with `#` are
/// comments. Payload bytes that are printable ASCII are written as they are, except the backslash and a space at the
/// end of a line; the others are `\r`, `\n`, `\\` and `\xHH`. A truncated file loses no more than its last line.
package enum CaptureFormat {
  /// The first line up to its version number.
  static let magic = Array("swift-corelocation capture ".utf8)
  /// The version that this code writes, and the only one it reads. A new kind of record requires a new version; a new key of a
  /// `device` line does not.
  package static let version = 1

  /// The longest line, in bytes without its end.
  package static let maximumLineLength = 65_536 + 64
  /// The most payload bytes of one line, which are 64,000 characters if each is written as `\xHH`. More bytes are
  /// written as several lines.
  package static let maximumPayload = 16_000
  /// The latest arrival: 31 years, so that no arithmetic on it can overflow.
  package static let latestArrival = Duration.microseconds(999_999_999_999_999)
  /// The highest source number.
  package static let highestSource = 9999
  /// The highest baud rate, bits per second.
  package static let highestBaud = 100_000_000
}

/// One line of a capture: the event, its source and its time.
package struct CaptureRecord: Hashable, Sendable {
  /// Time since the start of the capture; whole microseconds, 0…`CaptureFormat.latestArrival`.
  package var arrival: Duration
  /// The source; 0 is the recorder itself, devices count from 1.
  package var source: Int
  /// The event.
  package var event: CaptureEvent

  /// A record of `event`.
  package init(arrival: Duration, source: Int, event: CaptureEvent) {
    self.arrival = arrival
    self.source = source
    self.event = event
  }
}

/// The content of one line of a capture.
package enum CaptureEvent: Hashable, Sendable {
  /// The wall clock (UTC) at arrival time zero, if the recorder knew it.
  case start(GNSSTime)
  /// A source appeared, with its description. Comes before its first `bytes`, and again if it returns after `gone`.
  case device(CapturedDevice)
  /// The baud rate was changed, in bits per second.
  case speed(baud: Int)
  /// Bytes that arrived from the source together.
  case bytes([UInt8])
  /// A Wi-Fi scan, as the kernel's bytes. Reserved: copied, but not decoded.
  case scan([UInt8])
  /// The source was unplugged.
  case gone
}

extension CaptureEvent {
  /// The keyword of the event in a line.
  enum Kind: String, CaseIterable, Sendable {
    case start, device, speed, bytes, scan, gone
  }

  /// The event's keyword.
  var kind: Kind {
    switch self {
    case .start: .start
    case .device: .device
    case .speed: .speed
    case .bytes: .bytes
    case .scan: .scan
    case .gone: .gone
    }
  }
}

/// The description of a device in a capture, by which a replay recognizes the same device.
///
/// Strings come from the device: they are escaped in the file and bounded by its line length, but otherwise untrusted.
package struct CapturedDevice: Hashable, Sendable {
  /// Its path, e.g. `/dev/ttyACM0`.
  package var path: String
  /// USB vendor and product.
  package var usbVendorID: UInt16?
  package var usbProductID: UInt16?
  package var manufacturer: String?
  package var product: String?
  /// The USB serial number.
  package var serial: String?
  /// Baud rate in bits per second at that moment.
  package var baud: Int?

  /// A device of which only the path is known.
  package init(path: String) { self.path = path }
}

/// The keys of a capture's `device` line.
enum DeviceKey: String, CaseIterable, Sendable {
  case path, usb, manufacturer, product, serial, baud

  /// The most bytes of a value, so that four of them fit into a line if each byte is written as `\xHH`.
  static let longestValue = 4000

  /// The UTF-8 of `value`, cut between characters if it is too long.
  static func bounded(_ value: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in value.unicodeScalars {
      guard bytes.count + UTF8.width(scalar) <= longestValue else { break }
      bytes += Array(String(scalar).utf8)
    }
    return bytes
  }

  /// Four hex digits, as `lsusb` prints an id.
  static func hex(_ id: UInt16) -> String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
