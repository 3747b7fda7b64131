import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

@Suite struct SessionTests {
  /// States that a test sends one after the other; a request is answered immediately.
  private final class Told: AuthorizationSource {
    let stream: AsyncStream<AuthorizationState>
    let continuation: AsyncStream<AuthorizationState>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }
    func states() -> AsyncStream<AuthorizationState> { stream }
    func ask(always: Bool, _ answered: @escaping @Sendable () -> Void) { answered() }
    func askFullAccuracy(purposeKey: String, _ answered: @escaping @Sendable (FullAccuracyAnswer) -> Void) {
      answered(.refused)
    }
    func send(_ level: AuthorizationLevel, isPending: Bool = false) {
      var authorization = Authorization(level)
      authorization.isPending = isPending
      continuation.yield(AuthorizationState(authorization, presence: .inUse))
    }
  }

  @Test func aProgramThatDrivesItsOwnReceiverIsAllowedAll() async throws {
    let session = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "key")
    var sessions = session.diagnostics.makeAsyncIterator()
    let diagnostic = try #require(try await sessions.next())
    #expect(!diagnostic.authorizationDenied && !diagnostic.fullAccuracyDenied)
    session.invalidate()
    #expect(try await sessions.next() == nil)
    let background = CLBackgroundActivitySession()
    var activities = background.diagnostics.makeAsyncIterator()
    let activity = try #require(try await activities.next())
    #expect(!activity.authorizationDenied && !activity.insufficientlyInUse)
    background.invalidate()
  }

  @Test func speaksImmediatelyAlsoWhereAllIsWell() async throws {
    let reported = Told()
    reported.send(.whenInUse)
    let session = CLServiceSession(SessionRequirement(authorization: .whenInUse), reported)
    var iterator = session.diagnostics.makeAsyncIterator()
    let diagnostic = try #require(try await iterator.next())
    #expect(!diagnostic.authorizationRequestInProgress && !diagnostic.authorizationDenied)
    // The session reports as long as it is retained.
    session.invalidate()
  }

  @Test func speaksOnEveryChange() async throws {
    let reported = Told()
    let session = CLServiceSession(SessionRequirement(authorization: .whenInUse), reported)
    var iterator = session.diagnostics.makeAsyncIterator()
    reported.send(.notDetermined, isPending: true)
    #expect(try await iterator.next()?.authorizationRequestInProgress == true)
    // The same state again causes no event; the next event is the denial.
    reported.send(.notDetermined, isPending: true)
    reported.send(.denied)
    #expect(try await iterator.next()?.authorizationDenied == true)
    session.invalidate()
    #expect(try await iterator.next() == nil)
  }

  @Test func endsForGood() async throws {
    let reported = Told()
    let session = CLBackgroundActivitySession(reported)
    session.invalidate()
    reported.send(.denied)
    var iterator = session.diagnostics.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test func eachFlagIsItsOwn() {
    let flags: [(DiagnosticFlags, KeyPath<CLServiceSession.Diagnostic, Bool>)] = [
      (.authorizationDenied, \.authorizationDenied), (.authorizationDeniedGlobally, \.authorizationDeniedGlobally),
      (.authorizationRestricted, \.authorizationRestricted), (.insufficientlyInUse, \.insufficientlyInUse),
      (.fullAccuracyDenied, \.fullAccuracyDenied), (.alwaysAuthorizationDenied, \.alwaysAuthorizationDenied),
      (.serviceSessionRequired, \.serviceSessionRequired),
      (.authorizationRequestInProgress, \.authorizationRequestInProgress),
    ]
    for (index, (circumstance, _)) in flags.enumerated() {
      let diagnostic = CLServiceSession.Diagnostic(circumstance)
      #expect(flags.map { diagnostic[keyPath: $0.1] } == flags.indices.map { $0 == index })
    }
  }
}
