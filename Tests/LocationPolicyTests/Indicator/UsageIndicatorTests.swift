import Geodesy
import LocationPolicy
import Testing

/// Transcripts with one event per line.
@Suite struct UsageIndicatorTests {
  private static let maps = LocationUser(.maps, name: "Maps")
  private static let script = LocationUser(.bob, name: "script")

  private func state(
    _ mark: IndicatorState.Mark, _ background: LocationUser? = nil, count: Int = 0
  ) -> IndicatorState {
    var state = IndicatorState(mark)
    state.background = background
    state.backgroundCount = count
    return state
  }

  private func uses(
    _ key: ClientID, _ uses: LocationUses, exposed: Bool = false, user: LocationUser = maps
  ) -> UsageIndicator.Input { .uses(key, user, uses, isExposed: exposed) }

  @Test func solidWhileUsedAndTenSecondsAfter() {
    for use in [LocationUses.location, .ranging, .significantChanges, [.location, .fences]] {
      var machine = UsageIndicator()
      #expect(machine.handle(uses(.app, use), at: .start) == [.show(state(.solid))])
      #expect(machine.handle(uses(.app, use), at: .seconds(1)) == [])
      #expect(machine.nextDeadline == nil)
      #expect(machine.handle(uses(.app, []), at: .seconds(100)) == [])
      #expect(machine.nextDeadline == .seconds(110))
      #expect(machine.handle(.wake, at: .seconds(109.9)) == [])
      #expect(machine.handle(.wake, at: .seconds(110)) == [.show(state(.none))])
      #expect(machine.nextDeadline == nil)
    }
  }

  @Test func hollowWhileOnlyFencesAreInstalled() {
    for use in [LocationUses.fences, .visits, [.fences, .visits]] {
      var machine = UsageIndicator()
      #expect(machine.handle(uses(.app, use), at: .start) == [.show(state(.hollow))])
      #expect(machine.handle(uses(.second, .location), at: .seconds(1)) == [.show(state(.solid))])
      #expect(machine.handle(.left(.second), at: .seconds(2)) == [])
      #expect(machine.handle(.wake, at: .seconds(12)) == [.show(state(.hollow))])
      #expect(machine.handle(.left(.app), at: .seconds(13)) == [.show(state(.none))])
    }
  }

  @Test func anotherUseWithinTheTenSecondsGoesOn() {
    var machine = UsageIndicator()
    _ = machine.handle(uses(.app, .location), at: .start)
    _ = machine.handle(.left(.app), at: .seconds(5))
    #expect(machine.handle(uses(.second, .location), at: .seconds(14)) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.wake, at: .seconds(15)) == [])
    #expect(machine.state == state(.solid))
  }

  @Test func backgroundClientsAreNamed() {
    var machine = UsageIndicator()
    #expect(machine.handle(uses(.app, .location), at: .start) == [.show(state(.solid))])
    #expect(
      machine.handle(uses(.app, .location, exposed: true), at: .seconds(1)) == [
        .show(state(.solid, Self.maps, count: 1))
      ])
    #expect(
      machine.handle(uses(.second, .location, exposed: true, user: Self.script), at: .seconds(2)) == [
        .show(state(.solid, Self.script, count: 2))
      ])
    // Another connection of a client that is counted already; it is the most recent one.
    #expect(
      machine.handle(uses(.third, .location, exposed: true), at: .seconds(3)) == [
        .show(state(.solid, Self.maps, count: 2))
      ])
    // Repeating the use does not make it more recent.
    #expect(machine.handle(uses(.second, .location, exposed: true, user: Self.script), at: .seconds(4)) == [])
    #expect(machine.handle(.left(.third), at: .seconds(5)) == [.show(state(.solid, Self.script, count: 2))])
    #expect(
      machine.handle(uses(.second, .location, user: Self.script), at: .seconds(6)) == [
        .show(state(.solid, Self.maps, count: 1))
      ])
    #expect(machine.handle(uses(.app, .fences, exposed: true), at: .seconds(7)) == [.show(state(.solid))])
  }

  @Test func theListSaysWhoSinceWhenAndHow() throws {
    var machine = UsageIndicator()
    _ = machine.handle(uses(.app, .location), at: .start)
    _ = machine.handle(uses(.second, .ranging), at: .seconds(5))
    var line = try #require(machine.usage(at: .seconds(100)).first)
    #expect(line.user == Self.maps && line.mark == .current && line.uses == [.location, .ranging])
    #expect(line.since == .start && line.usedAt == .seconds(100))
    _ = machine.handle(.left(.app), at: .seconds(200))
    _ = machine.handle(.left(.second), at: .seconds(300))
    let lines: [(Double, LocationUsage.Mark?)] = [
      (300, .current), (359.9, .current), (360, .recently), (86_699.9, .recently), (86_700, nil),
    ]
    for (seconds, mark) in lines {
      line = try #require(machine.usage(at: .seconds(300)).first)
      #expect(machine.usage(at: .seconds(seconds)).first?.mark == mark, "\(seconds)")
      #expect(line.since == nil && line.usedAt == .seconds(300) && line.uses == [])
    }
  }

  @Test func fencesAreHollowOnceTheUseIsADayAgo() {
    var machine = UsageIndicator()
    _ = machine.handle(uses(.app, [.location, .fences]), at: .start)
    _ = machine.handle(uses(.app, .fences), at: .seconds(10))
    let lines: [(Double, LocationUsage.Mark)] = [
      (11, .current), (70, .recently), (86_409, .recently), (86_410, .fences),
    ]
    for (seconds, mark) in lines { #expect(machine.usage(at: .seconds(seconds)).first?.mark == mark, "\(seconds)") }
    _ = machine.handle(.left(.app), at: .seconds(90_000))
    #expect(machine.usage(at: .seconds(90_000)) == [])
  }

  @Test func theMostRecentComesFirstAlsoFromBeforeARestart() {
    var machine = UsageIndicator()
    #expect(machine.handle(.usedBefore(Self.script, at: .start + .seconds(-3600)), at: .start) == [])
    _ = machine.handle(uses(.app, .location), at: .seconds(1))
    _ = machine.handle(uses(.second, .fences, user: LocationUser(.weather, name: nil)), at: .seconds(2))
    #expect(machine.usage(at: .seconds(3)).map(\.mark) == [.current, .recently, .fences])
    #expect(machine.usage(at: .seconds(3)).map(\.user.identity) == [.maps, .bob, .weather])
  }

  @Test func theListIsBoundedAndTheOldestGoes() {
    var machine = UsageIndicator()
    _ = machine.handle(uses(.app, .fences), at: .start)
    for number in 0..<1000 {
      let key = ClientID.process(1000 + number)
      let user = LocationUser(ClientIdentity(userID: 5000 + UInt32(number)), name: "script \(number)")
      _ = machine.handle(uses(key, .location, user: user), at: .seconds(Double(number)))
      _ = machine.handle(.left(key), at: .seconds(Double(number) + 0.5))
    }
    let usage = machine.usage(at: .seconds(1000))
    #expect(usage.count == UsageIndicator.capacity)
    #expect(usage.first?.user.name == "script 999")
    #expect(usage.last?.user == Self.maps)
    #expect(usage.dropLast().last?.user.name == "script 745")
  }

  /// Clients choose their own names: names of one client do not displace the uses of others.
  @Test func oneIdentityWithManyNamesDrivesOutItself() {
    var machine = UsageIndicator()
    _ = machine.handle(uses(.app, .location), at: .start)
    _ = machine.handle(.left(.app), at: .seconds(1))
    for number in 0..<1000 {
      let key = ClientID.process(1000 + number)
      let user = LocationUser(.bob, name: "script \(number)")
      _ = machine.handle(uses(key, .location, user: user), at: .seconds(Double(2 + number)))
      if number % 2 == 0 { _ = machine.handle(.left(key), at: .seconds(Double(2 + number) + 0.5)) }
    }
    let usage = machine.usage(at: .seconds(1003))
    #expect(usage.count { $0.user.identity == .bob } == UsageIndicator.capacityOfIdentity)
    #expect(usage.contains { $0.user.name == "script 999" })
    #expect(usage.last?.user == Self.maps)
  }
}
