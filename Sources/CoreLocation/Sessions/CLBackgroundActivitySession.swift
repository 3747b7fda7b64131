/// A statement that the program goes on with what the person began, visibly, while it holds this object.
public final class CLBackgroundActivitySession: Sendable {
  /// What stands against it.
  public let diagnostics: Diagnostics
  private let watch: SessionWatch

  /// Begins a session. It is active where the program is authorized, is in use now, and its Info.plist, where it has one, lists
  /// `location` in UIBackgroundModes; `diagnostics` says.
  public convenience init() { self.init(Service.authorization) }

  init(_ source: any AuthorizationSource) {
    watch = SessionWatch(SessionRequirement(authorization: .whenInUse, isImplicit: true, isActivity: true), source)
    diagnostics = Diagnostics(watch.obstacles)
  }

  /// Ends the session for good.
  public func invalidate() { watch.end() }
}
