import Geodesy
import NetworkSources
import Testing

/// A session over hours of virtual time.
@Suite struct NTRIPTimeTests {
  private let start = Instant(nanoseconds: 5_000_000_000_000)

  private func caster(
    _ url: String = "ntrip://caster.example.org:2101/MUC2", positions: CasterConfiguration.PositionPolicy = .automatic,
    version: CasterConfiguration.Version = .automatic, needsPosition: Bool? = nil, memory: NTRIPMemory? = nil,
    isSameConfiguration: Bool = true, seed: UInt64 = 1, script: @escaping VirtualCaster.Script
  ) throws -> VirtualCaster {
    let configuration = CasterConfiguration(
      address: try CasterAddress(parsing: url), positions: positions, version: version,
      mountNeedsPosition: needsPosition)
    let session = NTRIPSession(
      configuration, release: "1", memory: memory, isSameConfiguration: isSameConfiguration, at: start, seed: seed)
    return VirtualCaster(session, at: start, script)
  }

  @Test func anHourOfCorrections() throws {
    var caster = try caster { _, _ in Transcript.stream(seconds: 3600) }
    caster.input(.start)
    caster.run(for: .seconds(3600))
    #expect(caster.connects.count == 1 && caster.frames.count == 3600 && caster.sent.isEmpty)
    #expect(caster.statuses == [.connecting, .waiting, .streaming])
    #expect(caster.session.status == .streaming)
  }

  /// A caster that drops each connection after five seconds: never more than seven connections in any hour, whatever the seed.
  @Test(arguments: 0..<20 as Range<UInt64>) func droppingCaster(seed: UInt64) throws {
    var caster = try caster(seed: seed) { _, _ in Transcript.stream(seconds: 5) + [.close(after: .seconds(5))] }
    caster.input(.start)
    caster.run(for: .seconds(12 * 3600))
    let connects = caster.connects
    for (first, eighth) in zip(connects, connects.dropFirst(7)) { #expect(eighth - first >= .seconds(3600)) }
    for (first, second) in zip(connects, connects.dropFirst()) { #expect(second - first >= .seconds(10)) }
    #expect(connects.count > 12 * 3)
  }

  @Test(arguments: [
    "HTTP/1.1 401 x\r\n\r\n", "HTTP/1.1 403 x\r\n\r\n", "HTTP/1.1 404 x\r\n\r\n",
    "SOURCETABLE 200 OK\r\nENDSOURCETABLE\r\n",
  ])
  func refusedOnce(answer: String) throws {
    var first = try caster { _, _ in [.bytes(Array(answer.utf8), after: .milliseconds(50))] }
    first.input(.start)
    first.run(for: .seconds(24 * 3600))
    #expect(first.connects.count == 1)
    // Nor after a restart.
    let stored = try #require(first.memory)
    let memory = try #require(NTRIPMemory(stored.text))
    var second = try caster(memory: memory) { _, _ in Transcript.stream(seconds: 10) }
    second.input(.start)
    second.run(for: .seconds(24 * 3600))
    #expect(second.connects.isEmpty)
    guard case .stopped = second.session.status else {
      Issue.record("\(second.session.status)")
      return
    }
    // The user has corrected the configuration; the last try was a moment ago.
    var third = try caster(memory: memory, isSameConfiguration: false) { _, _ in Transcript.stream(seconds: 10) }
    third.input(.start)
    third.run(for: .seconds(9))
    #expect(third.connects.isEmpty)
    third.run(for: .seconds(5))
    #expect(third.session.status == .streaming)
  }

  /// A service that restarts every second for an hour.
  @Test func restartsDoNotResetTheBackOff() throws {
    var memory: NTRIPMemory?
    var storedAt = start
    var connects = 0
    for second in 0..<3600 {
      let configuration = CasterConfiguration(address: try CasterAddress(parsing: "ntrip://c:2101/M"))
      let session = NTRIPSession(
        configuration, release: "1", memory: memory, elapsed: start + .seconds(second) - storedAt,
        isSameConfiguration: true, at: start + .seconds(second), seed: UInt64(second))
      var caster = VirtualCaster(session, at: start + .seconds(second)) { _, _ in Transcript.stream(seconds: 1) }
      caster.input(.start)
      caster.run(for: .milliseconds(500))
      // A process that is killed stores nothing at its end.
      if let stored = caster.memory { (memory, storedAt) = (NTRIPMemory(stored.text), caster.storedAt) }
      connects += caster.connects.count
    }
    #expect((5...7).contains(connects))
  }

  /// An old caster closes the connection when it sees a request of version 2.
  @Test func version1Caster() throws {
    let script: VirtualCaster.Script = { _, request in
      request.contains("HTTP/1.1")
        ? [.close(after: .milliseconds(50))] : Transcript.stream(Transcript.version1, seconds: 100)
    }
    var first = try caster(script: script)
    first.input(.start)
    first.run(for: .seconds(30))
    #expect(first.requests.count == 2 && first.session.status == .streaming)
    #expect(first.connects[1] - first.connects[0] == .seconds(10))
    // The version is remembered over a loss, and over a restart.
    first.run(for: .seconds(600))
    #expect(first.requests.count >= 3 && first.requests.dropFirst().allSatisfy { $0.contains("HTTP/1.0") })
    let stored = try #require(first.memory)
    let memory = try #require(NTRIPMemory(stored.text))
    #expect(memory.isVersion1)
    var second = try caster(memory: memory, script: script)
    second.input(.start)
    second.run(for: .seconds(2000))
    #expect(second.requests.allSatisfy { $0.contains("HTTP/1.0") } && !second.requests.isEmpty)
  }

  /// A caster that never answers gets one request of version 1, and version 2 from then on.
  @Test func noAnswerInAnyVersion() throws {
    var caster = try caster { _, _ in [.close(after: .milliseconds(50))] }
    caster.input(.start)
    caster.run(for: .seconds(7200))
    #expect(caster.requests.count > 4 && caster.requests.filter { $0.contains("HTTP/1.0") }.count == 1)
    #expect(caster.requests[1].contains("HTTP/1.0"))
    var fixed = try self.caster(version: .two) { _, _ in [.close(after: .milliseconds(50))] }
    fixed.input(.start)
    fixed.run(for: .seconds(3600))
    #expect(fixed.requests.allSatisfy { $0.contains("HTTP/1.1") })
  }

  /// One byte a minute, in the head and in the body.
  @Test func slowCaster() throws {
    func slow(after seconds: Int) -> [VirtualCaster.Step] {
      (0..<20).map { .bytes([UInt8(ascii: "I")], after: .seconds(seconds + 60 * $0)) }
    }
    var head = try caster { _, _ in slow(after: 0) }
    head.input(.start)
    head.run(for: .seconds(10))
    head.run(for: .seconds(20))
    #expect(head.statuses.contains { if case .pausing(.lateAnswer?, _) = $0 { true } else { false } })
    var body = try caster(positions: .never) { _, _ in
      [.bytes(Transcript.version2, after: .zero)] + slow(after: 1)
    }
    body.input(.start)
    body.run(for: .seconds(90))
    #expect(body.statuses.contains { if case .pausing(.silent?, _) = $0 { true } else { false } })
  }

  @Test func silentStreamIsLost() throws {
    var caster = try caster { _, _ in Transcript.stream(seconds: 30) }
    caster.input(.start)
    caster.run(for: .seconds(88))
    #expect(caster.session.status == .streaming)
    caster.run(for: .seconds(3))
    guard case .pausing(.silent?, _) = caster.session.status else {
      Issue.record("\(caster.session.status)")
      return
    }
  }

  @Test func unreachableCaster() throws {
    var caster = try caster { _, _ in Transcript.stream(seconds: 1000) }
    caster.isDown = true
    caster.input(.start)
    caster.run(for: .seconds(3600))
    #expect((9...14).contains(caster.connects.count))
    caster.isDown = false
    caster.run(for: .seconds(725))
    #expect(caster.session.status == .streaming)
  }

  @Test func stopAndStart() throws {
    var caster = try caster { _, _ in Transcript.stream(seconds: 1000) }
    caster.input(.start)
    caster.run(for: .seconds(3))
    caster.input(.stop)
    #expect(caster.session.status == .idle && caster.session.nextDeadline == nil)
    caster.input(.start)
    caster.run(for: .seconds(5))
    #expect(caster.connects.count == 1)
    caster.run(for: .seconds(5))
    #expect(caster.connects.count == 2 && caster.connects[1] - caster.connects[0] == .seconds(10))
  }

  @Test func memoryAsText() {
    for text in [
      "", "locationd-ntrip 2\n", "locationd-ntrip 1", "locationd-ntrip 1\nrefusal=500\n", "locationd-ntrip 1\nx=1\n",
    ] {
      #expect(NTRIPMemory(text) == nil, "\(text)")
    }
    #expect(NTRIPMemory(String(repeating: "x", count: 600)) == nil)
  }
}
