import GNSSReceiver
import Geodesy
import LocationReplay
import Testing
import WireFormats

/// "A one-shot changes nothing in the receiver": which bytes are written, and when.
@Suite struct PollTests {
  private func bench(
    _ dialect: Dialect, until elapsed: Duration, _ settings: (inout ReceiverSettings) -> Void = { _ in },
    _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
  ) -> SessionBench {
    var bench = SessionBench(.of(dialect, change), SessionBench.settings(settings))
    bench.run(until: elapsed)
    return bench
  }

  /// The frames that were written: class, identifier and length of the payload.
  private func frames(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let frame = Array(rest.prefix(8))
      try #require(frame.count == 8)
      #expect(frame.prefix(2) == [0xB5, 0x62])
      var (a, b): (UInt8, UInt8) = (0, 0)
      for byte in frame[2..<6] {
        a &+= byte
        b &+= a
      }
      #expect(frame.suffix(2) == [a, b])
      frames.append(Array(frame[2..<6]))
      rest = rest.dropFirst(8)
    }
    return frames
  }

  private static let version: [UInt8] = [0x0A, 0x04, 0, 0]
  private static let uniqueID: [UInt8] = [0x27, 0x03, 0, 0]
  private static let pvt: [UInt8] = [0x01, 0x07, 0, 0]
  private static let posllh: [UInt8] = [0x01, 0x02, 0, 0]

  /// NAV-PVT, NAV-POSLLH, MON-VER and SEC-UNIQID with an empty payload are polls (UBX-13003221 §32.2): requests, and not
  /// settings.
  @Test(arguments: Dialect.allCases, [false, true])
  func nothingButPollsIsEverWritten(dialect: Dialect, isUblox: Bool) throws {
    let bench = bench(dialect, until: .seconds(60)) {
      $0.isUblox = isUblox
      $0.hasLineSpeed = true
    } _: {
      $0.faults = [
        .lossOfFix(.seconds(10)..<(.seconds(15))), .stall(.seconds(20)..<(.seconds(26))), .corruption(every: 17),
      ]
    }
    for frame in try bench.written.flatMap(frames) {
      #expect([Self.version, Self.uniqueID, Self.pvt, Self.posllh].contains(frame))
    }
    if !isUblox, dialect == .nmea23 || dialect == .nmea411 { #expect(bench.written.isEmpty) }
  }

  @Test(arguments: Dialect.allCases)
  func nothingIsWrittenBeforeAFrameWasReceived(dialect: Dialect) throws {
    let silent = bench(dialect, until: .seconds(30)) {
      $0.isUblox = true
      $0.hasLineSpeed = true
    } _: {
      $0.faults = [.stall(.zero..<(.seconds(31)))]
    }
    #expect(silent.written.isEmpty)
    let noisy = bench(dialect, until: .seconds(30)) {
      $0.isUblox = true
      $0.hasLineSpeed = true
    } _: {
      $0.baud = 250_000
    }
    #expect(noisy.written.isEmpty)
    let received = bench(dialect, until: .seconds(5)) { $0.isUblox = true }
    let talking = try #require(received.first { $0 == .stateChanged(.talking) })
    let written = try #require(received.first { if case .write = $0 { true } else { false } })
    #expect(talking <= written)
  }

  @Test(arguments: Dialect.allCases)
  func nothingIsWrittenWhereItMayNot(dialect: Dialect) {
    let bench = bench(dialect, until: .seconds(20)) {
      $0.isUblox = true
      $0.mayPoll = false
    }
    #expect(bench.written.isEmpty)
    #expect(bench.fixes.count == 20)
  }

  @Test(arguments: [Dialect.ublox6, .ublox7, .ublox8, .ublox9, .mixed])
  func aReceiverThatReportsItsAccuracyIsAskedOnceWhoItIs(dialect: Dialect) throws {
    let bench = bench(dialect, until: .seconds(20))
    #expect(try bench.written.flatMap(frames) == [Self.version, Self.uniqueID])
    let identity = bench.said.compactMap { if case .identified(let identity) = $0.action { identity } else { nil } }
      .last
    #expect(identity?.firmware != nil)
    #expect(identity?.speaksUBX == true)
    // SEC-UNIQID was added in protocol version 18: u-blox 6 and 7 do not answer.
    let hasNumber = dialect != .ublox6 && dialect != .ublox7
    #expect(identity?.uniqueID?.uppercased() == (hasNumber ? "5C0FFEE001" : nil))
    #expect(bench.fixes.last?.receiver?.uppercased() == (hasNumber ? "UBLOX-5C0FFEE001" : nil))
  }

  /// Logs, trips and scripts group fixes by receiver: its name does not change when the receiver reports its number.
  @Test(arguments: [Dialect.ublox8, .ublox9, .mixed])
  func theNameOfAReceiverInFixesStaysTheSame(dialect: Dialect) {
    let bench = bench(dialect, until: .seconds(20)) { $0.identity = "usb-1546-01a8@1-1" }
    let identity = bench.said.compactMap { if case .identified(let identity) = $0.action { identity } else { nil } }
      .last
    #expect(identity?.uniqueID != nil)
    #expect(bench.fixes.count == 20)
    #expect(Set(bench.fixes.map(\.receiver)) == ["usb-1546-01a8@1-1"])
  }

  /// A u-blox with its factory settings sends NMEA without its accuracy.
  @Test func aUbloxThatTalksNMEAAloneIsAskedForItsAccuracy() throws {
    // NMEA from the receiver, and UBX only as answers: the simulated receiver with both protocols also has UBX in its epochs, so
    // one simulated receiver sends the epochs and another one answers.
    var session = ReceiverSession(SessionBench.settings { $0.isUblox = true })
    var answerer = SimulatedReceiver(.of(.ublox8))
    var now = SessionBench.powerOn
    _ = session.handle(.opened(baud: nil), at: now)
    _ = answerer.handle(.powered, at: now)
    let talker = SessionBench.of(.nmea411, until: .seconds(11.9))
    var fixes: [PositionFix] = []
    var polls: [[UInt8]] = []
    func receive(_ actions: [ReceiverSession.Action]) -> [UInt8] {
      var written: [UInt8] = []
      for action in actions {
        if case .epoch(let epoch) = action, epoch.stage == .complete, let fix = epoch.fix { fixes.append(fix) }
        if case .write(let bytes) = action {
          polls.append(bytes)
          written += bytes
        }
      }
      return written
    }
    for burst in talker {
      now = SessionBench.powerOn + burst.at
      // Its unsolicited output is discarded; the wake-ups only advance its epochs.
      _ = answerer.handle(.wake, at: now)
      let written = receive(session.receive(burst.bytes.span, at: now))
      now = now + .milliseconds(20)
      for case .send(let answer) in answerer.handle(.received(written), at: now) {
        _ = receive(session.receive(answer.span, at: now))
      }
      if let deadline = session.nextDeadline, deadline < now + .milliseconds(500) {
        _ = receive(session.handle(.wake, at: deadline))
      }
    }
    #expect(fixes.count == 12)
    let dilutionAlone = 4.6 * 0.90
    #expect(abs(fixes[0].horizontalRadius68.value - dilutionAlone) < 0.01)
    for fix in fixes.dropFirst(2) {
      #expect(abs(fix.horizontalRadius68.value - 1.697 * 1.07) < 0.002, "hAcc, once it has answered")
    }
    #expect(try frames(polls.flatMap { $0 }).filter { $0 == Self.pvt }.count == 11, "asked once an epoch")
    #expect(try frames(polls.flatMap { $0 }).contains(Self.posllh) == false)
  }

  /// An adapter whose name is that of a u-blox and that answers nothing: each poll is sent three times, and then no more.
  @Test func aReceiverThatDoesNotAnswerIsLeftAlone() throws {
    let bench = bench(.nmea411, until: .seconds(30)) { $0.isUblox = true }
    let asked = try bench.written.flatMap(frames)
    for (poll, times) in [(Self.version, 3), (Self.uniqueID, 3), (Self.pvt, 3), (Self.posllh, 3)] {
      #expect(asked.filter { $0 == poll }.count == times)
    }
    #expect(asked.count == 12)
    #expect(bench.fixes.count == 30)
  }
}

extension SessionBench {
  /// The unsolicited output of a receiver of `dialect`.
  static func of(_ dialect: Dialect, until elapsed: Duration) -> [(at: Duration, bytes: [UInt8])] {
    var receiver = SimulatedReceiver(.of(dialect))
    var said: [(at: Duration, bytes: [UInt8])] = []
    var actions = receiver.handle(.powered, at: powerOn)
    var now = powerOn
    while true {
      for case .send(let bytes) in actions { said.append((now - powerOn, bytes)) }
      guard let next = receiver.nextDeadline, next <= powerOn + elapsed else { return said }
      now = next
      actions = receiver.handle(.wake, at: now)
    }
  }
}
