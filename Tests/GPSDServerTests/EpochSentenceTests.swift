import GPSDServer
import Geodesy
import LocationIPC
import Testing
import TrackFormats
import WireFormats

/// The sentences of the server, as this package's own decoder reads them.
@Suite struct EpochSentenceTests {
  private func sentences(
    access: GPSDAccess = .full, later: Duration = .zero, _ change: (inout GPSDEpoch) -> Void = { _ in }
  ) -> [UInt8] {
    var epoch = ServedEpoch.epoch(at: ServedClient.start)
    change(&epoch)
    var encoder = GPSDEpochEncoder(access: access)
    return encoder.text(
      epoch, .nmea, devices: ServedClient.list([ServedEpoch.device]), at: ServedClient.start + later
    ).nmea
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { String($0) }
  }

  private func decoded(_ bytes: [UInt8]) -> [NMEAMessage] {
    var decoder = WireDecoder()
    var messages: [NMEAMessage] = []
    decoder.push(bytes.span) { if case .nmea(let message, _) = $0 { messages.append(message) } }
    #expect(decoder.counters.checksumErrors == 0 && decoder.counters.noiseBytes == 0)
    #expect(decoder.counters.malformed == 0 && decoder.counters.unknown == 0)
    return messages
  }

  @Test func anEpochIsDecodedToTheSameValues() {
    var (gsa, gsv): ([GSA], [GSV]) = ([], [])
    for message in decoded(sentences()) {
      switch message {
      case .rmc(let rmc):
        #expect(rmc.isValid && rmc.mode == .autonomous)
        #expect(rmc.date?.date == CalendarDate(year: 2026, month: 3, day: 1))
        #expect(rmc.time == TimeOfDay(hour: 12, minute: 34, second: 56))
        #expect(((rmc.latitudeNanodegrees ?? 0) - 48_125_011_667).magnitude < 90)
        #expect(((rmc.longitudeNanodegrees ?? 0) + 11_575_011_667).magnitude < 90)
        #expect(rmc.speedMilliknots == 24_298 && rmc.courseMillidegrees == 84_400)
      case .gga(let gga):
        #expect(gga.quality == .autonomous && gga.satellitesUsed == 12 && gga.hdopHundredths == 75)
        #expect(gga.altitudeMillimeters == 545_410 && gga.geoidSeparationMillimeters == 46_900)
      case .gst(let gst):
        #expect(gst.latitudeDeviationMillimeters == 990 && gst.longitudeDeviationMillimeters == 990)
        #expect(gst.altitudeDeviationMillimeters == 2000)
      case .vtg(let vtg): #expect(vtg.speedMilliknots == 24_298 && vtg.courseMillidegrees == 84_400)
      case .gsa(let sentence): gsa.append(sentence)
      case .gsv(let sentence): gsv.append(sentence)
      default: Issue.record("\(message)")
      }
    }
    #expect(gsa.map(\.system) == [.gps, .glonass, .galileo, .beidou])
    #expect(gsa.reduce(0) { $0 + Int($1.satellitesUsed) } == 12)
    #expect(gsa.allSatisfy { $0.dimension == .three && $0.hdopHundredths == 75 && $0.pdopHundredths == 135 })
    #expect(gsv.reduce(0) { $0 + Int($1.count) } == 14)
    #expect(lines(sentences()).map { $0.dropFirst().prefix(5) }.prefix(3) == ["GNRMC", "GNGGA", "GNGST"])
  }

  /// The longest values that occur, with the line ending (NMEA 0183 4.11, section 5.3).
  @Test func sentencesHaveAtMost82Characters() {
    let bytes = sentences { epoch in
      epoch.fix?.coordinate = Coordinate(latitude: Angle(degrees: -89.999999), longitude: Angle(degrees: -179.999999))
      epoch.fix?.hdop = 99.99
      epoch.fix?.speedMetersPerSecond = 999.999
      epoch.fix?.heightAboveMeanSeaLevel = Meters(12_345.67)
      epoch.fix?.heightAboveEllipsoid = Meters(12_240.57)
      epoch.fix?.horizontalRadius68 = Meters(20_037_508)
      epoch.fix?.verticalRadius68 = Meters(20_037_508)
    }
    for line in lines(bytes) { #expect(line.utf8.count + 2 <= 82, "\(line)") }
  }

  @Test(arguments: [
    (FixKind.estimated, "6", "E"), (.twoDimensional, "1", "A"), (.differential, "2", "D"), (.rtkFixed, "4", "R"),
    (.rtkFloat, "5", "F"),
  ]) func qualityFollowsTheKind(kind: FixKind, quality: String, mode: String) {
    let lines = lines(sentences { $0.fix?.kind = kind }).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines[1][6] == quality)
    #expect(lines[0][12].prefix(1) == mode)
  }

  @Test func withoutAPositionThereIsNone() {
    for bytes in [sentences { $0.fix = nil }, sentences(access: .reduced)] {
      #expect(
        lines(bytes).prefix(2).map { $0.prefix { $0 != "*" } } == ["$GNGGA,,,,,,0,,,,M,,M,,", "$GNRMC,,V,,,,,,,,,,N"])
    }
    #expect(lines(sentences(access: .reduced)).count == 2)
    // A receiver that searches lists its satellites.
    #expect(lines(sentences { $0.fix = nil }).count > 2)
  }

  @Test func satellitesInViewAreSentOnceASecond() {
    var encoder = GPSDEpochEncoder(access: .full)
    let devices = ServedClient.list([ServedEpoch.device])
    var lists = 0
    for step in 0..<30 {
      let now = ServedClient.start + .milliseconds(100 * step)
      let text = encoder.text(ServedEpoch.epoch(at: now), .nmea, devices: devices, at: now)
      if lines(text.nmea).contains(where: { $0.hasPrefix("$GPGSV") }) { lists += 1 }
    }
    #expect(lists == 3)
  }

  @Test func datagramsContainWholeSentences() {
    var many: [UInt8] = []
    for _ in 0..<5 { many += sentences() }
    let parts = NMEADatagrams.parts(of: many)
    #expect(parts.count > 1 && parts.allSatisfy { $0.count <= NMEADatagrams.longest && $0.last == 0x0A })
    #expect(Array(parts.joined()) == many)
  }

  // MARK: - The session of a reader

  @Test func aReaderReceivesEpochsAndTheirEnd() {
    var now = ServedClient.start
    var session = NMEASession(access: .full, at: now)
    // A browser would have sent its request by then.
    #expect(session.nextDeadline == now + .milliseconds(250) && !session.needsUpdates)
    now = now + .milliseconds(250)
    #expect(session.handle(.wake, at: now) == nil)
    #expect(session.needsUpdates && session.unsent.isEmpty)
    var encoder = GPSDEpochEncoder(access: .full)
    let text = encoder.text(
      ServedEpoch.epoch(at: now), .nmea, devices: ServedClient.list([ServedEpoch.device]), at: now)
    #expect(session.handle(.epoch(text), at: now) == nil)
    #expect(Array(session.unsent) == text.nmea)
    #expect(session.handle(.sent(text.nmea.count), at: now) == nil)
    #expect(session.nextDeadline == nil)
    #expect(session.handle(.lost, at: now) == nil)
    #expect(lines(Array(session.unsent)).count == 2)
    _ = session.handle(.sent(session.unsent.count), at: now)
    now = now + .seconds(1)
    #expect(session.nextDeadline == now)
    _ = session.handle(.wake, at: now)
    #expect(lines(Array(session.unsent)).count == 2)
    // It reads nothing more.
    #expect(session.handle(.wake, at: now + .seconds(180)) == .tooSlow)
    let received = Array(repeating: UInt8(ascii: "$"), count: 1 << 20)
    #expect(session.handle(.received(received), at: now) == nil)
    #expect(session.handle(.received([0x24]), at: now) == .foreign)
  }

  @Test func aReaderWithoutAccessReceivesNoPosition() {
    var now = ServedClient.start
    var session = NMEASession(access: .undecided, at: now)
    now = now + .milliseconds(250)
    _ = session.handle(.wake, at: now)
    #expect(lines(Array(session.unsent)).count == 2)
    var encoder = GPSDEpochEncoder(access: .full)
    let text = encoder.text(
      ServedEpoch.epoch(at: now), .nmea, devices: ServedClient.list([ServedEpoch.device]), at: now)
    _ = session.handle(.epoch(text), at: now)
    #expect(lines(Array(session.unsent)).count == 2)
    _ = session.handle(.access(.full), at: now)
    _ = session.handle(.epoch(text), at: now)
    #expect(Array(session.unsent) == text.nmea)
    _ = session.handle(.access(.denied), at: now)
    #expect(lines(Array(session.unsent)).count == 2)
  }

  /// A web page's requests, TLS and TURN: the connection is closed before anything is requested for it or sent to it.
  @Test(arguments: [
    Array("GET / HTTP/1.1\r\n".utf8), Array("POST / HTTP/1.1\r\n".utf8), Array("\r\nOPTIONS * HTTP/1.1\r\n".utf8),
    [0x16, 0x03, 0x01], [0x00, 0x03, 0x00, 0x08],
  ])
  func aClientOfAnotherProtocolReceivesNothing(bytes: [UInt8]) {
    let now = ServedClient.start
    var session = NMEASession(access: .full, at: now)
    var encoder = GPSDEpochEncoder(access: .full)
    let text = encoder.text(
      ServedEpoch.epoch(at: now), .nmea, devices: ServedClient.list([ServedEpoch.device]), at: now)
    _ = session.handle(.epoch(text), at: now)
    #expect(!session.needsUpdates && session.unsent.isEmpty)
    #expect(session.handle(.received(bytes), at: now) == .foreign)
    #expect(session.unsent.isEmpty)
  }

  /// Programs that send sentences or a receiver's messages, as gpsd does to a receiver, are readers.
  @Test(arguments: [Array("\r\n$PASHQ,RID*28\r\n".utf8), [0xB5, 0x62, 0x0A, 0x04], Array("!AIVDM".utf8)])
  func aClientThatSendsWhatReceiversReadIsAReader(bytes: [UInt8]) {
    let now = ServedClient.start
    var session = NMEASession(access: .full, at: now)
    #expect(session.handle(.received(bytes), at: now) == nil)
    _ = session.handle(.wake, at: now + .seconds(1))
    #expect(session.needsUpdates)
    // Later bytes are not looked at.
    #expect(session.handle(.received(Array("GET".utf8)), at: now + .seconds(1)) == nil)
  }
}
