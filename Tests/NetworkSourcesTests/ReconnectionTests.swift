import Geodesy
import NetworkSources
import Testing

/// Delays, and the connection to a server that sends a receiver's bytes.
@Suite struct ReconnectionTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  @Test func delaysDouble() {
    #expect((1...8).map { GrowingDelay.stream.base(after: $0).inSeconds } == [1, 2, 4, 8, 16, 30, 30, 30])
    #expect((1...9).map { GrowingDelay.caster.base(after: $0).inSeconds } == [5, 10, 20, 40, 80, 160, 320, 600, 600])
    #expect(GrowingDelay.caster.base(after: .max) == .seconds(600) && GrowingDelay.stream.base(after: 0) == .seconds(1))
  }

  @Test func randomPart() {
    var jitter = Jitter(seed: 3)
    let delays = (0..<1000).map { _ in GrowingDelay.caster.delay(after: 2, &jitter).inSeconds }
    #expect(delays.allSatisfy { (8...12).contains($0) })
    #expect((delays.min() ?? 0) < 8.1 && (delays.max() ?? 0) > 11.9 && Set(delays).count > 900)
    var same = Jitter(seed: 3)
    #expect(GrowingDelay.caster.delay(after: 2, &same).inSeconds == delays[0])
  }

  /// A server that is down for an hour is tried with growing delays, forever, and at once a second after it was lost again.
  @Test func neverGivesUp() throws {
    var connection = StreamConnection(seed: 1)
    #expect(connection.handle(.start, at: start) == [.connect])
    var now = start
    var waits: [Double] = []
    for _ in 0..<100 {
      #expect(connection.handle(.failed(.unreachable), at: now) == [.lost(.unreachable)])
      let next = try #require(connection.nextDeadline)
      #expect(connection.handle(.wake, at: next - .milliseconds(1)) == [])
      #expect(connection.handle(.wake, at: next) == [.connect])
      waits.append((next - now).inSeconds)
      now = next
    }
    for (wait, base) in zip(waits, [1.0, 2, 4, 8, 16, 30, 30]) { #expect((0.8 * base...1.2 * base).contains(wait)) }
    #expect(waits.suffix(94).allSatisfy { (24...36).contains($0) })
    #expect(connection.handle(.connected, at: now) == [] && connection.isConnected)
    #expect(connection.problem == .unreachable)
    #expect(connection.handle(.received, at: now) == [] && connection.problem == nil)
    #expect(connection.handle(.closed, at: now) == [.lost(.closed)])
    let next = try #require(connection.nextDeadline)
    #expect(next - now <= .milliseconds(1200))
  }

  @Test func silenceIsALoss() throws {
    var connection = StreamConnection(seed: 1)
    _ = connection.handle(.start, at: start)
    _ = connection.handle(.connected, at: start)
    #expect(connection.handle(.received, at: start + .seconds(9)) == [])
    #expect(connection.handle(.wake, at: start + .seconds(18)) == [])
    #expect(connection.nextDeadline == start + .seconds(19))
    #expect(connection.handle(.wake, at: start + .seconds(19)) == [.close, .lost(.silent)])
    // What arrives late from the closed connection has no effect.
    #expect(connection.handle(.closed, at: start + .seconds(19)) == [])
    #expect(connection.handle(.received, at: start + .seconds(19)) == [] && connection.problem == .silent)
  }

  @Test func slowConnectAndStop() {
    var connection = StreamConnection(seed: 1)
    #expect(connection.handle(.wake, at: start) == [] && connection.nextDeadline == nil)
    _ = connection.handle(.start, at: start)
    #expect(connection.handle(.start, at: start) == [])
    #expect(connection.handle(.wake, at: start + .seconds(20)) == [.close, .lost(.tooLate)])
    #expect(connection.handle(.stop, at: start + .seconds(20)) == [] && connection.nextDeadline == nil)
    #expect(connection.handle(.start, at: start + .seconds(21)) == [.connect])
    #expect(connection.handle(.stop, at: start + .seconds(22)) == [.close] && !connection.isConnected)
  }

  @Test func oneSenderAtATime() {
    var lock = PeerLock<String>()
    func accepts(_ peer: String, hasFrame: Bool, after seconds: Int) -> Bool {
      lock.accepts(peer, hasFrame: hasFrame, at: start + .seconds(seconds))
    }
    #expect(!accepts("a", hasFrame: false, after: 0))
    #expect(accepts("a", hasFrame: true, after: 0))
    #expect(accepts("a", hasFrame: false, after: 4))
    #expect(!accepts("b", hasFrame: true, after: 8))
    #expect(lock.droppedCount == 1)
    #expect(lock.current(at: start + .seconds(8)) == "a" && lock.current(at: start + .seconds(9)) == nil)
    #expect(!accepts("a", hasFrame: false, after: 9))
    #expect(accepts("b", hasFrame: true, after: 9))
    lock.closed("a")
    #expect(!accepts("a", hasFrame: true, after: 10))
    lock.closed("b")
    #expect(accepts("a", hasFrame: true, after: 10))
    #expect(lock.droppedCount == 2)
  }
}
