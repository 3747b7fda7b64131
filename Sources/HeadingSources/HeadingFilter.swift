import Geodesy

/// The edge of a device that counts as its front.
package enum HeadingOrientation: Hashable, Sendable {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight

  /// Degrees from the y axis, which is the front in `portrait`, to the edge that is the front in this orientation, clockwise.
  package var offsetDegrees: Double {
    switch self {
    case .portrait: 0
    case .portraitUpsideDown: 180
    case .landscapeLeft: 90
    case .landscapeRight: -90
    }
  }
}

/// Decides which headings a client receives: the first one, and then those that differ by the filter from the last one delivered.
package struct HeadingFilter: Hashable, Sendable {
  /// Degrees; `nil`: every heading is delivered.
  package var minimumDegrees: Double?
  /// The edge that counts as the front.
  package var orientation: HeadingOrientation
  private var lastDegrees: Double?

  /// A filter that has delivered nothing yet.
  package init(minimumDegrees: Double?, orientation: HeadingOrientation = .portrait) {
    self.minimumDegrees = minimumDegrees
    self.orientation = orientation
  }

  /// The heading to deliver, 0..<360°, or `nil` if it is too close to the last one.
  package mutating func handle(deviceDegrees: Double) -> Double? {
    let turned = (deviceDegrees + orientation.offsetDegrees).truncatingRemainder(dividingBy: 360)
    let degrees = turned < 0 ? min(turned + 360, 360.0.nextDown) : turned
    if let lastDegrees, let minimumDegrees,
      (degrees - lastDegrees).remainder(dividingBy: 360).magnitude < minimumDegrees
    {
      return nil
    }
    lastDegrees = degrees
    return degrees
  }
}
