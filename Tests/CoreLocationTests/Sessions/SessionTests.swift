import Testing

@testable import CoreLocation

@Suite struct SessionTests {
  /// States that a test says, one after the other.
  private final class Told: AuthorizationSource {
    let stream: AsyncStream<AuthorizationState>
    let continuation: AsyncStream<AuthorizationState>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }
    func states() -> AsyncStream<AuthorizationState> { stream }
  }

  @Test func theHostedServiceAllowsAllAndSaysSo() async throws {
    let session = CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: "key")
    var said: [Bool] = []
    for try await diagnostic in session.diagnostics { said.append(diagnostic.authorizationDenied) }
    #expect(said == [false])
    session.invalidate()
    let background = CLBackgroundActivitySession()
    said = []
    for try await diagnostic in background.diagnostics { said.append(diagnostic.authorizationDenied) }
    #expect(said == [false])
    background.invalidate()
  }

  @Test func speaksAtOnceAlsoWhereAllIsWell() async throws {
    let told = Told()
    told.continuation.yield(AuthorizationState(status: .authorizedWhenInUse))
    let session = CLServiceSession(SessionRequirement(authorization: .whenInUse), told)
    var iterator = session.diagnostics.makeAsyncIterator()
    let diagnostic = try #require(try await iterator.next())
    #expect(!diagnostic.authorizationRequestInProgress && !diagnostic.authorizationDenied)
    // It speaks while it is held.
    session.invalidate()
  }

  @Test func speaksOnEveryChange() async throws {
    let told = Told()
    let session = CLServiceSession(SessionRequirement(authorization: .whenInUse), told)
    var iterator = session.diagnostics.makeAsyncIterator()
    told.continuation.yield(AuthorizationState(status: .notDetermined, isAsking: true))
    #expect(try await iterator.next()?.authorizationRequestInProgress == true)
    // The same once more is no news; the next word is of the denial.
    told.continuation.yield(AuthorizationState(status: .notDetermined, isAsking: true))
    told.continuation.yield(AuthorizationState(status: .denied))
    #expect(try await iterator.next()?.authorizationDenied == true)
    session.invalidate()
    #expect(try await iterator.next() == nil)
  }

  @Test func endsForGood() async throws {
    let told = Told()
    let session = CLBackgroundActivitySession(told)
    session.invalidate()
    told.continuation.yield(AuthorizationState(status: .denied))
    var iterator = session.diagnostics.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test func eachFlagIsItsOwn() {
    let flags: [(Circumstances, KeyPath<CLServiceSession.Diagnostic, Bool>)] = [
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
