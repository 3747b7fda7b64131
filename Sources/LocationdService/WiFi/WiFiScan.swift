package import Positioning

/// The result of one scan of the access points in range.
package struct WiFiScan: Hashable, Sendable {
  /// The position of the machine; `nil`: none of the access points is known.
  package var position: WiFiPosition?
  /// How many usable access points were received.
  package var heard: Int
  /// Whether it is the place of the previous scan: most of the strong access points were received again.
  package var isSamePlace: Bool

  package init(position: WiFiPosition?, heard: Int, isSamePlace: Bool) {
    self.position = position
    self.heard = heard
    self.isSamePlace = isSamePlace
  }
}
