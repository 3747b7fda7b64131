/// The number of a list in the store: of no other list, also of none that has been.
package struct MonitoringListID: Hashable, Comparable, Sendable {
  package let rawValue: Int64

  init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  var value: DatabaseValue { .integer(rawValue) }
}
