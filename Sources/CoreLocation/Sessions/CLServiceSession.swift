/// A statement that the program wants an authorization while it holds this object: the system seeks it where it can.
public final class CLServiceSession: Sendable {
  /// What is sought.
  public enum AuthorizationRequirement: Hashable, Sendable {
    /// Nothing: the person is never asked.
    case none
    /// Locations while the program is in use.
    case whenInUse
    /// Locations at any time.
    case always
  }

  /// What stands against it.
  public let diagnostics: Diagnostics
  private let watch: SessionWatch

  /// Seeks an authorization.
  public convenience init(authorization: AuthorizationRequirement) {
    self.init(SessionRequirement(authorization: authorization), Service.authorization)
  }

  /// Seeks an authorization, and full accuracy for a purpose that the program's description names by this key.
  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(
      SessionRequirement(authorization: authorization, purposeKey: fullAccuracyPurposeKey), Service.authorization)
  }

  init(_ requirement: SessionRequirement, _ source: any AuthorizationSource) {
    watch = SessionWatch(requirement, source)
    diagnostics = Diagnostics(watch.obstacles)
  }

  /// Ends the session for good.
  public func invalidate() { watch.end() }
}
