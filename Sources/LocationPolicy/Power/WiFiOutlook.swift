package import Geodesy

/// What one scan of Wi-Fi tells of where the machine is, as far as it decides which sources run.
package struct WiFiOutlook: Hashable, Sendable {
  /// How good the position by it is; `nil`: it gives none.
  package var radius68: Meters?
  /// Whether it is the place of the scan before: most of what was heard strongly is heard again.
  package var isSamePlace: Bool

  package init(radius68: Meters?, isSamePlace: Bool) {
    self.radius68 = radius68
    self.isSamePlace = isSamePlace
  }
}
