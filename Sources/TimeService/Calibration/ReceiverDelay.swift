package import Geodesy

/// The time between a fix and the first byte of its messages, which is added to every offset.
package struct ReceiverDelay: Hashable, Sendable {
  /// Positive: the bytes arrive after the second that they report.
  package var seconds: Double
  /// How far `seconds` may be off the true delay, seconds, > 0.
  package var uncertaintySeconds: Double
  /// What it was measured against.
  package var basis: Basis
  /// When it was measured; `nil` for a default or a setting.
  package var measuredAt: GNSSTime?

  package enum Basis: UInt8, Hashable, Sendable, CaseIterable {
    /// Not measured: usual for this class of port.
    case portClass = 0
    /// A pulse of the same receiver.
    case pulse = 1
    /// The system's clock while it was disciplined by another source.
    case systemClock = 2
    /// The user's setting.
    case setting = 3
  }

  package init(seconds: Double, uncertaintySeconds: Double, basis: Basis, measuredAt: GNSSTime? = nil) {
    (self.seconds, self.uncertaintySeconds) = (seconds, uncertaintySeconds)
    (self.basis, self.measuredAt) = (basis, measuredAt)
  }

  /// The delay of a receiver that was never measured. Receivers begin to send 50 to 150 ms after the second; MediaTek
  /// chips need up to 500 ms, which only a measurement shows. The delay is the same for all classes of ports until
  /// measurements show a difference.
  package static func usual(of port: PortClass) -> ReceiverDelay {
    switch port {
    case .usb, .usbAdapter: ReceiverDelay(seconds: 0.070, uncertaintySeconds: 0.1, basis: .portClass)
    // Nothing is known of these ports: the same delay with a larger uncertainty.
    case .uart, .other: ReceiverDelay(seconds: 0.070, uncertaintySeconds: 0.15, basis: .portClass)
    }
  }
}
