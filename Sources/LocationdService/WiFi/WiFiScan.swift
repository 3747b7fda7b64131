package import Positioning

/// What came of one look at the access points around.
package struct WiFiScan: Hashable, Sendable {
  /// Where that is; `nil`: none of them is known.
  package var position: WiFiPosition?
  /// How many there are that may be used.
  package var heard: Int
  /// Whether it is the place of the scan before: most of what was heard strongly is heard again.
  package var isSamePlace: Bool

  package init(position: WiFiPosition?, heard: Int, isSamePlace: Bool) {
    self.position = position
    self.heard = heard
    self.isSamePlace = isSamePlace
  }
}
