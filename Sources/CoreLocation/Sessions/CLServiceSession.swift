/// While the program holds this object, it declares that it needs an authorization, which the system requests when
/// possible.
public final class CLServiceSession: Sendable {
  /// The authorization that the session requests.
  public enum AuthorizationRequirement: Hashable, Sendable {
    /// None: the user is never prompted.
    case none
    /// Access while the program is in use.
    case whenInUse
    /// Access at any time.
    case always
  }

  /// The reasons why the session is not in effect, as they change.
  public let diagnostics: Diagnostics
  private let watch: SessionWatch

  /// Creates a session that requests an authorization.
  public convenience init(authorization: AuthorizationRequirement) {
    self.init(SessionRequirement(authorization: authorization), Service.authorization)
  }

  /// Creates a session that requests an authorization, and full accuracy for a purpose that the program's Info.plist describes
  /// under this key.
  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(
      SessionRequirement(authorization: authorization, purposeKey: fullAccuracyPurposeKey), Service.authorization)
  }

  init(_ requirement: SessionRequirement, _ source: any AuthorizationSource) {
    watch = SessionWatch(requirement, source)
    diagnostics = Diagnostics(watch.obstacles)
  }

  /// Ends the session permanently.
  public func invalidate() { watch.end() }
}

extension CLServiceSession {
  /// The reasons why the session is not in effect; none if all flags are false.
  public struct Diagnostic: Sendable {
    private let circumstances: DiagnosticFlags
    init(_ circumstances: DiagnosticFlags) { self.circumstances = circumstances }

    /// The user denied this program access to the location.
    public var authorizationDenied: Bool { circumstances.contains(.authorizationDenied) }
    /// Location services are off.
    public var authorizationDeniedGlobally: Bool { circumstances.contains(.authorizationDeniedGlobally) }
    /// Access is restricted, and the user cannot change that.
    public var authorizationRestricted: Bool { circumstances.contains(.authorizationRestricted) }
    /// The program is not sufficiently in use.
    public var insufficientlyInUse: Bool { circumstances.contains(.insufficientlyInUse) }
    /// The user refused full accuracy.
    public var fullAccuracyDenied: Bool { circumstances.contains(.fullAccuracyDenied) }
    /// The user refused access at any time.
    public var alwaysAuthorizationDenied: Bool { circumstances.contains(.alwaysAuthorizationDenied) }
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The user is being prompted for authorization.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}

extension CLServiceSession {
  /// The reasons why the session is not in effect, now and after every change; the first element comes at once, even if there are
  /// none. For one loop.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Diagnostic
    /// The error that the iteration may throw.
    public typealias Failure = any Error

    private let obstacles: AsyncStream<DiagnosticFlags>
    init(_ obstacles: AsyncStream<DiagnosticFlags>) { self.obstacles = obstacles }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(base: obstacles.makeAsyncIterator()) }

    /// An iterator over the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<DiagnosticFlags>.Iterator

      /// Waits for the next diagnostic.
      public mutating func next() async throws -> Diagnostic? {
        await base.next(isolation: #isolation).map { Diagnostic($0) }
      }
    }
  }
}
