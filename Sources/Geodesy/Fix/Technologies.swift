/// What a position was computed from.
package struct Technologies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let gnss = Technologies(rawValue: 1 << 0)
  package static let wifi = Technologies(rawValue: 1 << 1)
  package static let cell = Technologies(rawValue: 1 << 2)
  package static let companion = Technologies(rawValue: 1 << 3)
}
