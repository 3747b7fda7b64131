package import Geodesy

/// What one line of a capture tells.
package enum CaptureEvent: Hashable, Sendable {
  /// The wall clock (UTC) at arrival time zero, where the recorder knew it.
  case start(GNSSTime)
  /// A source appeared; tells what it is. Comes before its first `bytes`, again after `gone` when it is back.
  case device(CapturedDevice)
  /// The line speed was changed, in bits per second.
  case speed(baud: Int)
  /// Bytes that came from the source together.
  case bytes([UInt8])
  /// A Wi-Fi scan, as the kernel's bytes. Reserved: carried, not looked into.
  case scan([UInt8])
  /// The source was unplugged.
  case gone
}

extension CaptureEvent {
  /// The word of a line that names the event.
  enum Kind: String, CaseIterable, Sendable {
    case start, device, speed, bytes, scan, gone
  }

  /// The event's word.
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
