/// One value of an output line, before its format writes it.
package enum OutputValue: Hashable, Sendable {
  case number(FixedDecimal)
  case text(String)
  case flag(Bool)
  case list([String])

  /// A number, or `nil` for one that cannot be told.
  package static func number(_ value: Double?, decimals: Int, minimum: Int? = nil) -> OutputValue? {
    value.flatMap { FixedDecimal($0, decimals: decimals, minimum: minimum) }.map { .number($0) }
  }

  package static func number(_ value: Int?) -> OutputValue? { value.map { .number(FixedDecimal($0)) } }
  package static func text(_ value: String?) -> OutputValue? { value.map { .text($0) } }

  /// Metres, or metres per second: to the millimetre.
  package static func meters(_ value: Double?) -> OutputValue? { .number(value, decimals: 3, minimum: 2) }
}
