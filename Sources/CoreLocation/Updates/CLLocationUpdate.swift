/// One element of `CLLocationUpdate.liveUpdates()`: a location, or why there is none.
public struct CLLocationUpdate: Sendable {
  /// Where the device is; `nil` or the last known while a flag says that updates do not come.
  public let location: CLLocation?
  private let circumstances: Circumstances

  package init(location: CLLocation?, _ circumstances: Circumstances = []) {
    self.location = location
    self.circumstances = circumstances
  }

  /// The older name of `stationary`.
  @available(iOS, introduced: 17.0, deprecated: 18.0, renamed: "stationary")
  public var isStationary: Bool { stationary }
  /// The device does not move: updates go on when it does.
  public var stationary: Bool { circumstances.contains(.stationary) }
  /// The person denied this program the location.
  public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
  /// Location services are off.
  public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
  /// Not allowed, and the person cannot change that.
  public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
  /// The program is not sufficiently in use.
  public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
  /// The location can no longer be determined.
  public var locationUnavailable: Bool { circumstances.contains(.locationUnavailable) }
  /// Only reduced accuracy is allowed, so that further updates pause.
  public var accuracyLimited: Bool { circumstances.contains(.accuracyLimited) }
  /// A `CLServiceSession` is required, and there is none.
  public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
  /// The person is being asked.
  public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
}
