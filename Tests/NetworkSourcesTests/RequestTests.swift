import Geodesy
import NetworkSources
import Testing
import WireFormats

/// Requests, and the position in them.
@Suite struct RequestTests {
  private func request(_ url: String, isVersion1: Bool, position: CasterPosition? = nil) throws -> String {
    let request = CasterRequest(
      try CasterAddress(parsing: url), credentials: CasterCredentials(user: "Aladdin", password: "open sesame"),
      isVersion1: isVersion1, position: position, release: "1.2.3")
    return String(decoding: request.bytes, as: UTF8.self)
  }

  /// The account is the example of RFC 7617, section 2.
  @Test func version1() throws {
    #expect(
      try request("ntrip://caster.example.org:2101/MNT", isVersion1: true, position: SampleFix.position()) == """
        GET /MNT HTTP/1.0\r
        User-Agent: NTRIP locationd/1.2.3\r
        Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r
        \r\n
        """)
  }

  @Test func version2() throws {
    #expect(
      try request("ntrips://[2001:db8::1]:443/MNT", isVersion1: false, position: SampleFix.position()) == """
        GET /MNT HTTP/1.1\r
        Host: [2001:db8::1]:443\r
        Ntrip-Version: Ntrip/2.0\r
        User-Agent: NTRIP locationd/1.2.3\r
        Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r
        Ntrip-GGA: $GPGGA,123519.25,4807.038,N,01131.000,E,4,08,0.9,545.4,M,46.9,M,,*6B\r
        Connection: close\r
        \r\n
        """)
    #expect(try request("ntrip://c:2101", isVersion1: false).hasPrefix("GET / HTTP/1.1\r\nHost: c:2101\r\n"))
  }

  /// RFC 4648, section 10.
  @Test(arguments: [("f", "", "Zjo="), ("fo", "o", "Zm86bw=="), ("foo", "b", "Zm9vOmI="), ("fooba", "", "Zm9vYmE6")])
  func base64(user: String, password: String, expected: String) throws {
    let request = CasterRequest(
      try CasterAddress(parsing: "ntrip://c/M"),
      credentials: CasterCredentials(user: user, password: password), isVersion1: true,
      release: "1")
    #expect(String(decoding: request.bytes, as: UTF8.self).contains("Basic \(expected)\r\n"))
  }

  @Test func credentialsThatCannotBeSent() {
    #expect(CasterCredentials(user: "", password: "x") == nil)
    #expect(CasterCredentials(user: "a:b", password: "x") == nil)
    #expect(CasterCredentials(user: "a", password: "x\r\nHost: y") == nil)
    #expect(CasterCredentials(user: String(repeating: "a", count: 257), password: "x") == nil)
  }

  /// Our own decoder reads the sentence.
  @Test func positionAsSentence() throws {
    let position = try SampleFix.position()
    var found: GGA?
    var decoder = WireDecoder()
    decoder.push(position.sentence.span) { if case .nmea(.gga(let gga), _) = $0 { found = gga } }
    let gga = try #require(found)
    #expect(decoder.counters.checksumErrors == 0 && gga.satellitesUsed == 8)
    #expect(gga.latitudeNanodegrees.map { ($0 - 48_117_300_000).magnitude < 20 } == true)
  }

  /// Toward the equator and the meridian of Greenwich, never beyond a thousandth of a minute.
  @Test func positionIsCut() throws {
    let cases: [(Double, Double, String)] = [
      (48.11731666, 11.51667333, ",4807.038,N,01131.000,E,"), (-0.00001, -0.00001, ",0000.000,N,00000.000,E,"),
      (-33.9999999, -179.9999999, ",3359.999,S,17959.999,W,"), (90, 180, ",9000.000,N,18000.000,E,"),
      (0.5, 7.25, ",0030.000,N,00715.000,E,"),
    ]
    for (latitude, longitude, expected) in cases {
      let sentence = String(
        decoding: try SampleFix.position(latitude: latitude, longitude: longitude).sentence, as: UTF8.self)
      #expect(sentence.contains(expected), "\(sentence)")
    }
  }

  @Test func unknownIsEmptyAndQualityIsTrue() throws {
    var fix = SampleFix.fix()
    (fix.satellitesUsed, fix.hdop, fix.heightAboveMeanSeaLevel) = (nil, nil, nil)
    for (kind, quality) in [
      (FixKind.estimated, 6), (.twoDimensional, 1), (.threeDimensional, 1), (.differential, 2), (.rtkFixed, 4),
      (.rtkFloat, 5),
    ] {
      fix.kind = kind
      let sentence = String(decoding: try #require(CasterPosition(fix)).sentence, as: UTF8.self)
      #expect(sentence.contains(",E,\(quality),,,,M,,M,,*"), "\(sentence)")
    }
    fix.isSimulated = true
    #expect(CasterPosition(fix)?.quality == 8)
    fix.qualityFlag = .implausible
    #expect(CasterPosition(fix) == nil)
  }
}

/// A fix in Bavaria.
enum SampleFix {
  static func fix(latitude: Double = 48.11731, longitude: Double = 11.5166667) -> PositionFix {
    // 2026-03-01T12:35:19.25Z.
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_772_368_519_250_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)),
      horizontalRadius68: Meters(0.02), kind: .rtkFixed, technologies: .gnss)
    fix.satellitesUsed = 8
    fix.hdop = 0.9
    fix.heightAboveMeanSeaLevel = Meters(545.4)
    fix.heightAboveEllipsoid = Meters(592.3)
    return fix
  }

  static func position(latitude: Double = 48.11731, longitude: Double = 11.5166667) throws -> CasterPosition {
    try #require(CasterPosition(fix(latitude: latitude, longitude: longitude)))
  }
}
