/// A length in metres.
package struct Meters: Hashable, Comparable, Sendable {
  /// Metres; the sign is the owner's.
  package var value: Double

  /// A length of `value` metres.
  package init(_ value: Double) { self.value = value }

  package static func < (a: Meters, b: Meters) -> Bool { a.value < b.value }
  package static func + (a: Meters, b: Meters) -> Meters { Meters(a.value + b.value) }
  package static func - (a: Meters, b: Meters) -> Meters { Meters(a.value - b.value) }
  package static func * (a: Meters, factor: Double) -> Meters { Meters(a.value * factor) }
}
