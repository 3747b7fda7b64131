/// Names a command that its user has noted where only that user can write. The service knows nothing else of it: who takes over the
/// service may have such commands run, and no others.
package struct CommandToken: Hashable, Sendable {
  package let (high, low): (UInt64, UInt64)

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// One of 128 random bits.
  package static func random() -> CommandToken {
    CommandToken(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }

  /// 32 lower-case hexadecimal digits.
  package var text: String {
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }

  /// `nil`: not exactly what `text` gives.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 32, bytes.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}
