package import Geodesy
package import LocationIPC

/// What the service sent to a client about one moment: its fix, and the satellites of the receiver.
package struct GPSDEpoch: Hashable, Sendable {
  /// The fix as the service delivered it to this client; `nil`: there is no position.
  package var fix: PositionFix?
  /// The satellites; `nil`: not reported.
  package var sky: SkyReport?
  /// When the service delivered the fix: the radius of `fix` has grown until then.
  package var deliveredAt: Instant

  package init(fix: PositionFix?, sky: SkyReport?, deliveredAt: Instant) {
    (self.fix, self.sky, self.deliveredAt) = (fix, sky, deliveredAt)
  }

  /// The path of the receiver as the service knows it; that of the service for a fix from no receiver.
  package var device: String {
    if let fix { return fix.device ?? GPSDPath.service }
    return sky?.device ?? GPSDPath.service
  }

  /// The 68 % radius at `now`, in meters; `nil` if it is unknown.
  func radius68(at now: Instant) -> Double? {
    guard var fix, fix.knownHorizontalRadius68 != nil else { return nil }
    // The radius of the fix has already grown until the delivery.
    fix.receivedAt = deliveredAt
    let radius = fix.horizontalRadius68(at: now).value
    return radius.isFinite && radius > 0 ? radius : nil
  }

  /// The satellites, if the receiver listed them in this epoch; an incomplete or older list is not sent again.
  var completeSky: SkyReport? {
    guard let sky, sky.satellites != nil, sky.listAge == .zero else { return nil }
    return sky
  }
}

/// What a client may receive.
package enum GPSDAccess: Hashable, Sendable {
  /// The user has not been asked, or has not answered.
  case undecided
  case denied
  /// A position of reduced accuracy. The directions of the satellites would reveal the exact one.
  case reduced
  case full

  /// Whether the client receives positions.
  package var isGranted: Bool { self == .reduced || self == .full }
}

/// The mode of a TPV.
enum GPSDMode: Int {
  /// Not known, because access is undecided.
  case unknown = 0
  case noFix = 1
  case twoDimensional = 2
  case threeDimensional = 3

  /// The mode of a fix. A fix with a quality flag is sent as no fix, because no other mode makes clients distrust the
  /// position.
  init(_ fix: PositionFix?, _ access: GPSDAccess) {
    switch access {
    case .undecided: self = .unknown
    case .denied: self = .noFix
    case .reduced, .full:
      guard let fix, fix.qualityFlag == nil,
        Coordinate(checkingLatitude: fix.coordinate.latitude.degrees, longitude: fix.coordinate.longitude.degrees)
          != nil
      else {
        self = .noFix
        return
      }
      let hasHeight =
        switch fix.kind {
        case .twoDimensional: false
        case .estimated: fix.heightAboveEllipsoid != nil || fix.heightAboveMeanSeaLevel != nil
        case .threeDimensional, .differential, .rtkFloat, .rtkFixed: true
        }
      self = hasHeight && access == .full && fix.technologies.contains(.gnss) ? .threeDimensional : .twoDimensional
    }
  }

  var hasPosition: Bool { rawValue >= 2 }
}
