/// The constants of the capture format: what a session's sources said, and when, as lines of text.
///
/// ```
/// swift-corelocation capture 1
/// # u-blox 7 mouse on a window sill
/// 0 start 0 2026-08-01T12:00:00.25Z
/// 0 device 1 path=/dev/ttyACM0 usb=1546:01a7 product=u-blox\x207 baud=9600
/// 81250 bytes 1 $GPRMC,120000.00,A,4717.11437,N,00833.91522,E,0.004,,010826,,,A*78\r\n
/// 9000000 gone 1
/// ```
/// A line is: microseconds since the start (never less than the line before), kind, source number, and what the kind
/// carries, parted by single spaces. Source 0 is the recorder, devices count from 1. Lines that begin with `#` are
/// comments. Payload bytes stand for themselves where they are printable ASCII; the others are `\r`, `\n`, `\\` and
/// `\xHH`. A file that was cut anywhere loses no more than its last line.
package enum CaptureFormat {
  /// What the first line says before its version number.
  static let magic = Array("swift-corelocation capture ".utf8)
  /// The version that this code writes, and the only one it reads. A new kind of record is a new version; a new key of
  /// a `device` line is not.
  package static let version = 1

  /// The longest line, in bytes without its end.
  package static let maximumLineLength = 65_536 + 64
  /// The most payload bytes of one line: 64,000 when each is written `\xHH`. More are written as several lines.
  package static let maximumPayload = 16_000
  /// The latest arrival: 31 years, so that no arithmetic on it can overflow.
  package static let latestArrival = Duration.microseconds(999_999_999_999_999)
  /// The highest source number.
  package static let highestSource = 9999
  /// The highest speed of a line in bits per second.
  package static let highestBaud = 100_000_000
}
