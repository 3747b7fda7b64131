package import Geodesy

/// What is recorded of where the machine is, and how much of it is kept.
package struct LogOptions: Hashable, Sendable {
  /// Only fixes at least this far from the one recorded before; `nil`: all.
  package var distanceFilter: Meters?
  /// Only fixes at least this long after the one recorded before; `nil`: all.
  package var interval: Duration?
  /// Only fixes with at most this 68 % radius; `nil`: all.
  package var desiredRadius68: Meters?
  /// Fixes are recorded while standing still, too.
  package var keepsStandstill = false
  /// Suspect fixes are recorded too.
  package var keepsSuspects = false
  /// How much is kept, the newest; `nil`: what a disk of that size can spare.
  package var keeps: LogAmount?
  /// The public key of who alone can read it, as one word (`seal1…`); `nil`: as it is, and a new log is open.
  package var seal: String?

  /// Every fix that moved.
  package init() {}
}

/// How much of a log is kept.
package enum LogAmount: Hashable, Sendable {
  /// 1…36,500.
  case days(Int)
  /// 10⁶ bytes, 1…1,000,000.
  case megabytes(Int)

  /// Reads a number with a unit: `30d`, `30days`, `500MB`, `2GB`; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).lowercased() {
    case "d", "day", "days": self = .days(count)
    case "mb": self = .megabytes(count)
    case "gb" where count <= 1000: self = .megabytes(count * 1000)
    default: return nil
    }
    guard isAllowed else { return nil }
  }

  /// Whether the number lies in its range.
  package var isAllowed: Bool {
    switch self {
    case .days(let count): (1...36_500).contains(count)
    case .megabytes(let count): (1...1_000_000).contains(count)
    }
  }
}
