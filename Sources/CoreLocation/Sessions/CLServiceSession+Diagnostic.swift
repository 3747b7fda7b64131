extension CLServiceSession {
  /// What stands against the session; nothing where all flags are false.
  public struct Diagnostic: Sendable {
    private let circumstances: Circumstances
    init(_ circumstances: Circumstances) { self.circumstances = circumstances }

    /// The person denied this program the location.
    public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
    /// Location services are off.
    public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
    /// Not allowed, and the person cannot change that.
    public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
    /// The program is not sufficiently in use.
    public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
    /// The person refused full accuracy.
    public var fullAccuracyDenied: Bool { circumstances.contains(.fullAccuracyDenied) }
    /// The person refused locations at any time.
    public var alwaysAuthorizationDenied: Bool { circumstances.contains(.alwaysAuthorizationDenied) }
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The person is being asked.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}
