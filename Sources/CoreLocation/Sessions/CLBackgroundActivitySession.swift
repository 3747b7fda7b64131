/// A statement that the program goes on with what the person began, visibly, while it holds this object.
public final class CLBackgroundActivitySession: Sendable {
  /// What stands against it.
  public let diagnostics: Diagnostics
  private let watch: SessionWatch

  /// Begins a session; whether it is active, `diagnostics` says.
  public convenience init() { self.init(Service.authorization) }

  init(_ source: any AuthorizationSource) {
    watch = SessionWatch(SessionRequirement(authorization: .whenInUse), source)
    diagnostics = Diagnostics(watch.obstacles)
  }

  /// Ends the session for good.
  public func invalidate() { watch.end() }
}
