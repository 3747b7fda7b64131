/// Why there can be no such region.
package enum RegionError: Error, Hashable, Sendable {
  /// The identifier has so many bytes of UTF-8, and may have at most as many.
  case identifierLength(Int, most: Int)
  /// No place has these degrees.
  case place(latitude: Double, longitude: Double)
  /// A radius in metres that is not above zero, not a number, or beyond every place of the earth.
  case radius(Double, most: Double)
  /// So many corners, of which these are possible.
  case corners(Int, possible: ClosedRange<Int>)
  /// A corner lies so many metres from the middle of all, and may at most lie so far.
  case extent(Double, most: Double)
}
