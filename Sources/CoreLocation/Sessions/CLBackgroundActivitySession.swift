/// While the program holds this object, it declares that it visibly continues an activity that the user started.
public final class CLBackgroundActivitySession: Sendable {
  /// The reasons why the session is not in effect, as they change.
  public let diagnostics: Diagnostics
  private let watch: SessionWatch

  /// Starts a session. It is active if the program is authorized, is in use now, and its Info.plist, if it has one, lists
  /// `location` in UIBackgroundModes; `diagnostics` reports what is missing.
  public convenience init() { self.init(Service.authorization) }

  init(_ source: any AuthorizationSource) {
    watch = SessionWatch(SessionRequirement(authorization: .whenInUse, isImplicit: true, isActivity: true), source)
    diagnostics = Diagnostics(watch.obstacles)
  }

  /// Ends the session permanently.
  public func invalidate() { watch.end() }
}

extension CLBackgroundActivitySession {
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
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The user is being prompted for authorization.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}

extension CLBackgroundActivitySession {
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
