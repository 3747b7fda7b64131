/// When an entry into a region counts, and after how long without a usable position its owner is informed.
package struct RegionTiming: Hashable, Sendable {
  /// An entry counts once the device has been inside for so many seconds; `nil`: at once.
  package let dwellSeconds: Int?
  /// So many seconds after the last position that decides on which side of the border the device is, the region counts as unknown;
  /// `nil`: never.
  package let unknownAfterSeconds: Int?

  /// Seconds: a second to a week.
  package static let possible = 1...604_800

  package init() { (dwellSeconds, unknownAfterSeconds) = (nil, nil) }

  /// `nil`: a duration is not one of `possible`.
  package init?(dwellSeconds: Int?, unknownAfterSeconds: Int?) {
    for seconds in [dwellSeconds, unknownAfterSeconds].compactMap(\.self) where !Self.possible.contains(seconds) {
      return nil
    }
    (self.dwellSeconds, self.unknownAfterSeconds) = (dwellSeconds, unknownAfterSeconds)
  }

  /// Whether it asks for nothing.
  package var isEmpty: Bool { dwellSeconds == nil && unknownAfterSeconds == nil }
}
