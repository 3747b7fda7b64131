/// How to reach a receiver that gpsd owns.
package struct GPSDRoute: Hashable, Sendable {
  /// The address of that gpsd.
  package var gpsd: GPSDAddress
  /// The receiver, as gpsd names it.
  package var device: String

  package init(gpsd: GPSDAddress, device: String) {
    self.gpsd = gpsd
    self.device = device
  }
}
