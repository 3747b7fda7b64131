import Geodesy
import NetworkSources
import Testing

/// How often a caster is tried, also over restarts.
@Suite struct CasterBackOffTests {
  private let start = Instant(nanoseconds: 50_000_000_000_000)

  @Test func unreachableCaster() throws {
    var backOff = CasterBackOff(seed: 5)
    #expect(backOff.earliestTry == nil)
    var now = start
    var waits: [Double] = []
    for _ in 0..<12 {
      backOff.tried(at: now)
      backOff.failed(at: now + .milliseconds(100))
      let next = try #require(backOff.earliestTry)
      waits.append((next - now).inSeconds)
      now = next
    }
    // The first two delays are shorter than the least interval may allow.
    #expect(waits[0] == 10 && waits.allSatisfy { $0 >= 10 })
    for (wait, base) in zip(waits.dropFirst(2), [20.0, 40, 80, 160, 320, 600, 600]) {
      #expect((0.8 * base...1.2 * base + 0.1).contains(wait))
    }
  }

  /// Whatever the seed is, no hour has an eighth connection.
  @Test(arguments: 0..<50 as Range<UInt64>) func sevenConnectionsAnHour(seed: UInt64) throws {
    var backOff = CasterBackOff(seed: seed)
    var connections: [Instant] = []
    var now = start
    while now - start < .seconds(24 * 3600) {
      backOff.tried(at: now)
      backOff.connected(at: now + .milliseconds(50))
      connections.append(now + .milliseconds(50))
      backOff.failed(at: now + .seconds(5))
      now = try #require(backOff.earliestTry)
    }
    for (first, eighth) in zip(connections, connections.dropFirst(7)) { #expect(eighth - first >= .seconds(3600)) }
    // And the caster is not given up.
    #expect(connections.count > 24 * 3)
  }

  @Test func successEndsTheSeries() throws {
    var backOff = CasterBackOff(seed: 5)
    for second in 0..<6 {
      backOff.tried(at: start + .seconds(second * 100))
      backOff.connected(at: start + .seconds(second * 100))
      backOff.failed(at: start + .seconds(second * 100 + 5))
    }
    backOff.succeeded()
    backOff.tried(at: start + .seconds(1000))
    backOff.failed(at: start + .seconds(1100))
    let next = try #require(backOff.earliestTry)
    #expect(next - start <= .seconds(1106))
  }

  @Test func keptOverRestart() throws {
    var backOff = CasterBackOff(seed: 5)
    for second in 0..<4 {
      backOff.tried(at: start + .seconds(second * 20))
      backOff.connected(at: start + .seconds(second * 20))
      backOff.failed(at: start + .seconds(second * 20 + 5))
    }
    let stored = start + .seconds(70)
    let text = backOff.text(at: stored)
    // The other process has another clock.
    let other = Instant(nanoseconds: 77)
    let restored = try #require(CasterBackOff(text, elapsed: .seconds(30), at: other, seed: 9))
    let wait = try #require(restored.earliestTry) - other
    // The fourth connection was 40 seconds before.
    #expect(wait == .seconds(860))
    #expect(try #require(backOff.earliestTry) - stored >= .seconds(890))
    // A clock that was set back shortens no wait.
    let unknown = try #require(CasterBackOff(text, elapsed: .seconds(-1000), at: other, seed: 9))
    #expect(try #require(unknown.earliestTry) - other == .seconds(890))
    // The next failure still knows the connections.
    var next = restored
    next.tried(at: other + wait)
    next.connected(at: other + wait)
    next.failed(at: other + wait + .seconds(5))
    #expect(try #require(next.earliestTry) - (other + wait) >= .seconds(900))
  }

  @Test(arguments: [
    "x", "failures", "failures=", "failures=a", "failures=-1", "failures=1,2", "failures=123456789", "wait=1 ",
    "connections=1,2,3,4,5",
    "tried=1 other=2",
  ])
  func foreignText(text: String) {
    #expect(CasterBackOff(text, elapsed: .zero, at: start, seed: 1) == nil)
  }
}
