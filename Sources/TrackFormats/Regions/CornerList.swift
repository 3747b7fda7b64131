import Geodesy
import Regions

/// Gathers the corners of one ring, no more than a region may have.
struct CornerList: Sendable {
  static let most = PolygonShape.possibleCorners.upperBound

  private(set) var corners: [Coordinate] = []
  private(set) var isTooLong = false

  /// - Parameters:
  ///   - latitude: degrees, of any size: the region says whether there is such a place.
  ///   - longitude: degrees. Maps that go on beyond the date line number on, so that once around is taken off.
  mutating func append(latitude: Double, longitude: Double) {
    // The first corner comes once more at the end.
    guard corners.count <= Self.most else {
      isTooLong = true
      corners = []
      return
    }
    guard !isTooLong else { return }
    let isOnceAround = longitude.magnitude > 180 && longitude.magnitude <= 540
    corners.append(
      Coordinate(
        latitude: Angle(degrees: latitude),
        longitude: Angle(degrees: isOnceAround ? longitude.remainder(dividingBy: 360) : longitude)))
  }

  /// Ends the ring.
  ///
  /// - Returns: `nil` where there were too many.
  mutating func take() -> [Coordinate]? {
    defer { self = CornerList() }
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    return isTooLong || corners.count > Self.most ? nil : corners
  }
}
