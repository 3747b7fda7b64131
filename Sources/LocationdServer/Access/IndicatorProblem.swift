/// Why the indicator for use of location cannot be shown.
package struct IndicatorProblem: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case file(String)
    /// A folder of the kernel's class `leds`.
    case light(String)
  }

  package var place: Place
  /// The kernel's error number.
  package var errno: Int32
}
