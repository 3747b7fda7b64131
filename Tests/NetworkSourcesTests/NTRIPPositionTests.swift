import Geodesy
import NetworkSources
import Testing

/// When a caster gets the position of this machine.
@Suite struct NTRIPPositionTests {
  private let start = Instant(nanoseconds: 5_000_000_000_000)

  private func caster(
    _ positions: CasterConfiguration.PositionPolicy = .automatic, needsPosition: Bool? = nil,
    version: CasterConfiguration.Version = .automatic, script: @escaping VirtualCaster.Script
  ) throws -> VirtualCaster {
    let configuration = CasterConfiguration(
      address: try CasterAddress(parsing: "ntrips://caster.example.org:443/VRS"), positions: positions,
      version: version,
      mountNeedsPosition: needsPosition)
    return VirtualCaster(NTRIPSession(configuration, release: "1", at: start, seed: 1), at: start, script)
  }

  /// A fix each second for this long.
  private func run(_ caster: inout VirtualCaster, seconds: Int, latitude: Double = 48.11731) throws {
    let position = try SampleFix.position(latitude: latitude)
    for _ in 0..<seconds {
      caster.input(.position(position))
      caster.run(for: .seconds(1))
    }
  }

  private let silent: VirtualCaster.Script = { _, _ in [.bytes(Transcript.version2, after: .milliseconds(100))] }

  /// The mount point needs a position: it is in the request, and then comes every ten seconds.
  @Test func mountThatNeedsOne() throws {
    var caster = try caster(needsPosition: true) { _, _ in Transcript.stream(seconds: 100) }
    caster.input(.start)
    caster.run(for: .seconds(100))
    #expect(caster.connects.isEmpty && caster.session.status == .waitingForPosition)
    try run(&caster, seconds: 61)
    #expect(caster.requests.count == 1 && caster.requests[0].contains("\r\nNtrip-GGA: $GPGGA,123519.25,4807.038,N,"))
    #expect(caster.sent.count == 6 && caster.sent.allSatisfy { $0.text.hasPrefix("$GPGGA,123519.25,4807.038,N,") })
    for (first, second) in zip(caster.sent, caster.sent.dropFirst()) { #expect(second.at - first.at == .seconds(10)) }
  }

  /// In version 1 there is no such header: the sentence follows the answer.
  @Test func version1() throws {
    var caster = try caster(needsPosition: true, version: .one) { _, _ in
      Transcript.stream(Transcript.version1, seconds: 100)
    }
    caster.input(.start)
    try run(&caster, seconds: 5)
    #expect(!caster.requests[0].contains("GGA") && caster.sent.count == 1)
  }

  /// A mount point that sends corrections unasked gets no position; one that is silent for five seconds does.
  @Test func byNeed() throws {
    var speaking = try caster { _, _ in Transcript.stream(seconds: 100) }
    speaking.input(.start)
    try run(&speaking, seconds: 100)
    #expect(speaking.sent.isEmpty && !speaking.requests[0].contains("GGA"))

    var waiting = try caster(script: silent)
    waiting.input(.start)
    try run(&waiting, seconds: 5)
    #expect(waiting.sent.isEmpty)
    try run(&waiting, seconds: 20)
    #expect(waiting.sent.count == 2)
  }

  @Test func never() throws {
    var caster = try caster(.never, needsPosition: true, script: silent)
    caster.input(.start)
    try run(&caster, seconds: 50)
    #expect(caster.sent.isEmpty && caster.requests.allSatisfy { !$0.contains("GGA") })
  }

  @Test func atAnInterval() throws {
    var caster = try caster(.every(.seconds(3))) { _, _ in Transcript.stream(seconds: 100) }
    try run(&caster, seconds: 1)
    caster.input(.start)
    try run(&caster, seconds: 31)
    #expect(caster.requests[0].contains("Ntrip-GGA") && (9...11).contains(caster.sent.count))
  }

  @Test func afterAKilometer() throws {
    var caster = try caster(needsPosition: true) { _, _ in Transcript.stream(seconds: 100) }
    caster.input(.start)
    try run(&caster, seconds: 2)
    try run(&caster, seconds: 2, latitude: 48.1253)
    #expect(caster.sent.isEmpty)
    try run(&caster, seconds: 1, latitude: 48.1273)
    #expect(caster.sent.count == 1)
    // A position that jumps back and forth is sent once a second at most.
    for index in 0..<100 {
      caster.input(.position(try SampleFix.position(latitude: index.isMultiple(of: 2) ? 48.2 : 48.1)))
      caster.run(for: .milliseconds(10))
    }
    #expect(caster.sent.count <= 3)
  }

  /// Without a fix nothing is sent, and the connection waits instead of being made again and again.
  @Test func waitsForAFix() throws {
    var caster = try caster(script: silent)
    caster.input(.start)
    caster.run(for: .seconds(3600))
    #expect(caster.connects.count == 1 && caster.sent.isEmpty && caster.session.status == .waiting)
    try run(&caster, seconds: 1)
    #expect(caster.sent.count == 1)
    // Still silent, although the caster has the position: lost after a minute.
    try run(&caster, seconds: 62)
    #expect(caster.connects.count == 1 && caster.sent.count == 6)
    guard case .pausing(.silent?, _) = caster.session.status else {
      Issue.record("\(caster.session.status)")
      return
    }
  }

  /// A position that is not renewed is not sent any more.
  @Test func oldPosition() throws {
    var caster = try caster(needsPosition: true) { _, _ in Transcript.stream(seconds: 1000) }
    caster.input(.start)
    caster.input(.position(try SampleFix.position()))
    caster.run(for: .seconds(500))
    #expect((5...6).contains(caster.sent.count) && caster.session.status == .streaming)
    caster.input(.position(nil))
    caster.run(for: .seconds(100))
    #expect((5...6).contains(caster.sent.count))
  }
}
