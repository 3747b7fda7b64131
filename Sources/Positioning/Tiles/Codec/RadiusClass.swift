package import Geodesy

/// How well a place is known, in one of 16 steps, each 1.35 times the one before.
package struct RadiusClass: Hashable, Sendable {
  /// 0…15.
  package let rawValue: Int

  /// What each class is read as, metres. A radius is told 16 % too large or too small at most, within them.
  private static let meters = [8.0, 11, 15, 20, 27, 36, 49, 66, 90, 120, 165, 220, 300, 400, 540, 730]
  static let bits = 4

  /// `nil`: there is no such class.
  init?(rawValue: Int) {
    guard Self.meters.indices.contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// The class nearest to a radius, by their ratio.
  package init(_ radius: Meters) {
    rawValue =
      Self.meters.indices.dropLast().first { index in
        radius.value * radius.value < Self.meters[index] * Self.meters[index + 1]
      } ?? Self.meters.count - 1
  }

  /// The radius that the class is read as.
  package var radius: Meters { Meters(Self.meters[rawValue]) }
}
