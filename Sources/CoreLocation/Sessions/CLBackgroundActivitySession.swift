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

extension CLBackgroundActivitySession {
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
    /// A `CLServiceSession` is required, and there is none.
    public var serviceSessionRequired: Bool { circumstances.contains(.serviceSessionRequired) }
    /// The person is being asked.
    public var authorizationRequestInProgress: Bool { circumstances.contains(.authorizationRequestInProgress) }
  }
}

extension CLBackgroundActivitySession {
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
