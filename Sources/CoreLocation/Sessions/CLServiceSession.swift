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

extension CLServiceSession {
  /// What stands against the session, now and on every change; the first comes at once, also where nothing does. For one loop.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = Diagnostic
    /// What iterating may throw.
    public typealias Failure = any Error

    private let obstacles: AsyncStream<Circumstances>
    init(_ obstacles: AsyncStream<Circumstances>) { self.obstacles = obstacles }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator { Iterator(base: obstacles.makeAsyncIterator()) }

    /// One iteration.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<Circumstances>.Iterator

      /// The next diagnostic, once there is one.
      public mutating func next() async throws -> Diagnostic? {
        await base.next(isolation: #isolation).map { Diagnostic($0) }
      }
    }
  }
}
