import LocationIPC
import LocationPolicy
import Testing

@testable import CoreLocation

/// What a process knows about its own authorization, one event per line.
@Suite struct KnownAuthorizationTests {
  private static func state(_ level: AuthorizationLevel) -> AuthorizationState {
    AuthorizationState(Authorization(level), presence: .inUse)
  }

  private var known = KnownAuthorization()

  @Test mutating func aServiceDecides() {
    #expect(known.current == nil && !known.isServed)
    #expect(known.handle(.served) == nil)
    #expect(known.isServed)
    #expect(known.handle(.received(Self.state(.whenInUse))) == Self.state(.whenInUse))
    #expect(known.handle(.received(Self.state(.whenInUse))) == nil)
    #expect(known.handle(.overdue) == nil)
    #expect(known.handle(.readable(false)) == nil, "its receivers are its own matter")
    // The service goes away and is reached again: its last answer still applies.
    #expect(known.handle(.served) == nil)
    #expect(known.current == Self.state(.whenInUse))
    #expect(known.handle(.received(Self.state(.denied))) == Self.state(.denied))
  }

  @Test mutating func oneThatDoesNotAnswerHasDecidedNothing() {
    _ = known.handle(.served)
    #expect(known.handle(.overdue) == Self.state(.notDetermined))
    #expect(known.handle(.overdue) == nil)
    #expect(!known.isAnswered)
    #expect(known.handle(.received(Self.state(.always))) == Self.state(.always))
    #expect(known.isAnswered)
  }

  /// The daemon exists but cannot be reached: the authorization counts as not determined, and nobody is asked.
  @Test mutating func oneThatCannotBeReachedHasDecidedNothing() {
    #expect(known.handle(.overdue) == Self.state(.notDetermined))
    #expect(!known.isServed)
    #expect(known.handle(.received(Self.state(.always))) == nil && known.handle(.broken) == nil)
    #expect(known.handle(.served) == nil)
    #expect(known.handle(.received(Self.state(.whenInUse))) == Self.state(.whenInUse))
  }

  @Test mutating func withoutOneNoOneDecides() {
    #expect(known.handle(.unserved) == Self.state(.always))
    #expect(known.handle(.readable(false)) == Self.state(.denied))
    #expect(known.handle(.unserved) == nil, "still unreadable")
    #expect(known.handle(.readable(true)) == Self.state(.always))
    #expect(known.handle(.received(Self.state(.denied))) == nil)
    // A service has appeared since.
    #expect(known.handle(.served) == nil)
    #expect(known.handle(.received(Self.state(.notDetermined))) == Self.state(.notDetermined))
  }

  @Test mutating func oneThatMayNotBeSpokenToHasRefused() {
    #expect(known.handle(.forbidden) == Self.state(.denied))
    #expect(!known.isServed)
    #expect(known.handle(.readable(true)) == nil)
    #expect(known.handle(.unserved) == Self.state(.always), "it has gone")
  }

  @Test mutating func invalidServiceDecidesNothing() {
    _ = known.handle(.served)
    #expect(known.handle(.broken) == Self.state(.always))
    #expect(!known.isServed)
  }

  @Test(arguments: [AuthorizationLevel.denied, .whenInUse, .always])
  mutating func aDisconnectedClientKeepsItsState(level: AuthorizationLevel) {
    _ = known.handle(.served)
    _ = known.handle(.received(Self.state(level)))
    #expect(known.handle(.broken) == nil)
    #expect(known.current == Self.state(level))
  }
}
