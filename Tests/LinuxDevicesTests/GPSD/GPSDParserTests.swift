#if GPSD
  import Geodesy
  import LinuxDevices
  import TestSupport
  import Testing
  import WireFormats

  /// gpsd's JSON: lines that gpsd 3.22 and 3.27 sent, and lines that no program should send.
  @Suite struct GPSDParserTests {
    private static let devices = """
      {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/0","driver":"u-blox","subtype":"SW 1.00",\
      "activated":"2026-11-21T08:28:51.201Z","native":1,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00},\
      {"class":"DEVICE","path":"/dev/pts/1"}]}
      """
    private static let position = """
      {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-11-21T08:28:52.000Z","ept":0.005,"lat":48.125011667,\
      "lon":11.575011667,"altHAE":592.3000,"altMSL":545.4000,"alt":545.4000,"epx":9.593,"epy":11.341,"epv":34.500,\
      "track":45.0000,"magtrack":48.3406,"magvar":3.3,"speed":1.497,"climb":0.000,"eps":22.68,"epc":69.00,\
      "geoidSep":46.900,"eph":18.050,"sep":33.820}
      """
    /// Keys of gpsd 3.27: an older libgps does not know them, and must not reject them.
    private static let newer = """
      {"class":"TPV","device":"/dev/pts/0","status":2,"mode":2,"time":"2026-11-21T08:28:53.000Z","lat":48.1,"lon":11.5,\
      "errEllOr":12.0,"ant":1,"jam":3,"clockbias":1234,"temp":31.5}
      """
    private static let sky = """
      {"class":"SKY","device":"/dev/pts/0","xdop":0.64,"ydop":0.76,"vdop":1.50,"tdop":1.04,"hdop":0.95,"gdop":2.14,\
      "pdop":1.78,"nSat":3,"uSat":2,"satellites":[{"PRN":4,"el":62.0,"az":187.0,"ss":41.0,"used":true,"gnssid":0,"svid":4},\
      {"PRN":301,"el":22.0,"az":301.0,"ss":36.0,"used":true,"gnssid":2,"svid":1},\
      {"PRN":2,"el":5.0,"az":20.0,"ss":0.0,"used":false,"gnssid":0,"svid":2}]}
      """

    private func parse(_ line: String) throws -> GPSDReport? { try #require(GPSDParser()).parse(Array(line.utf8)) }

    @Test func itsVersionIsRead() throws {
      let line = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
      #expect(try parse(line) == .version(release: "3.22"))
    }

    @Test func itsDevicesAreRead() throws {
      guard case .devices(let devices)? = try parse(Self.devices) else {
        Issue.record("no devices")
        return
      }
      #expect(devices.map(\.path) == ["/dev/pts/0", "/dev/pts/1"])
      #expect(devices.map(\.driver) == ["u-blox", nil])
      #expect(devices.map(\.isActivated) == [true, false])
      #expect(devices.map(\.speaksOurProtocols) == [true, nil])
    }

    /// The meaning of the same fields depends on the driver.
    @Test func aPositionIsRead() throws {
      let parser = try #require(GPSDParser())
      for (isUblox, meaning) in [(false, GPSDPosition.ErrorMeaning.scaledDilution), (true, .oneSigma)] {
        if isUblox { _ = parser.parse(Array(Self.devices.utf8)) }
        guard case .messages(let messages, "/dev/pts/0")? = parser.parse(Array(Self.position.utf8)),
          case .position(let position)? = messages.first
        else {
          Issue.record("no position")
          return
        }
        var expected = GPSDPosition(mode: .threeDimensional)
        expected.errorMeaning = meaning
        expected.status = position.status
        expected.time = GNSSTime(nanosecondsSince1970: 1_795_249_732_000_000_000)
        (expected.latitude, expected.longitude) = (48.125011667, 11.575011667)
        (expected.altHAE, expected.altMSL) = (592.3, 545.4)
        (expected.speed, expected.track) = (1.497, 45)
        (expected.eph, expected.epv, expected.eps) = (18.05, 34.5, 22.68)
        #expect(position == expected)
      }
    }

    @Test func whatANewerOneAddsDoesNoHarm() throws {
      guard case .messages(let messages, _)? = try parse(Self.newer), case .position(let position)? = messages.first
      else {
        Issue.record("no position")
        return
      }
      #expect(position.mode == .twoDimensional)
      #expect(position.status == .differential)
      #expect(position.altMSL == nil && position.speed == nil && position.eph == nil)
    }

    @Test func aSkyIsRead() throws {
      guard case .messages(let messages, _)? = try parse(Self.sky), case .sky(let head)? = messages.first else {
        Issue.record("no sky")
        return
      }
      #expect(head.hdop == 0.95 && head.vdop == 1.5 && head.pdop == 1.78 && head.used == 2)
      func satellite(_ id: SatelliteID, _ signal: UInt8, _ elevation: Int8, _ azimuth: Int16, isUsed: Bool)
        -> GPSDMessage
      {
        var satellite = GPSDSatellite(id: id, signalDecibelHertz: signal, isUsed: isUsed)
        (satellite.elevationDegrees, satellite.azimuthDegrees) = (elevation, azimuth)
        return .satellite(satellite)
      }
      #expect(
        messages.dropFirst() == [
          satellite(SatelliteID(.gps, 4), 41, 62, 187, isUsed: true),
          satellite(SatelliteID(.galileo, 1), 36, 22, 301, isUsed: true),
          satellite(SatelliteID(.gps, 2), 0, 5, 20, isUsed: false),
        ])
    }

    /// The direction of a satellite may be unknown, and also its health.
    @Test func whatIsNotSaidOfASatelliteIsNotKnown() throws {
      let line =
        #"{"class":"SKY","device":"/dev/pts/0","satellites":[{"PRN":7,"used":false,"gnssid":0,"svid":7},"#
        + #"{"PRN":8,"ss":30.0,"used":false,"gnssid":0,"svid":8,"health":2},{"PRN":9,"used":true,"health":1}]}"#
      guard case .messages(let messages, _)? = try parse(line) else {
        Issue.record("no sky")
        return
      }
      let satellites = messages.compactMap { if case .satellite(let satellite) = $0 { satellite } else { nil } }
      #expect(satellites.map(\.isHealthy) == [nil, false, true])
      #expect(satellites.allSatisfy { $0.elevationDegrees == nil && $0.azimuthDegrees == nil })
      #expect(satellites.map(\.signalDecibelHertz) == [0, 30, 0])
    }

    /// The values of one line do not appear in the next one.
    @Test func nothingIsLeftOver() throws {
      let parser = try #require(GPSDParser())
      _ = parser.parse(Array(Self.position.utf8))
      _ = parser.parse(Array(Self.sky.utf8))
      let empty = #"{"class":"TPV","device":"/dev/pts/0","mode":1}"#
      #expect(
        parser.parse(Array(empty.utf8)) == .messages([.position(GPSDPosition(mode: .noFix))], device: "/dev/pts/0"))
      let bare = #"{"class":"SKY","device":"/dev/pts/0"}"#
      #expect(parser.parse(Array(bare.utf8)) == .messages([.sky(GPSDSky())], device: "/dev/pts/0"))
    }

    @Test func textsCannotSteerATerminal() throws {
      #expect(try parse("{\"class\":\"ERROR\",\"message\":\"\u{1B}[2Jgone\"}") == nil)
      guard case .error(let text)? = try parse(#"{"class":"ERROR","message":"\u001b[2Jgone"}"#) else {
        Issue.record("no error")
        return
      }
      #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    @Test(arguments: [
      "", "{", "{}}", "[]", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":01e}", "{\"a\":\"\\x\"}", "{\"a\":tru}", "{\"a\":1} {",
      String(repeating: "{\"a\":", count: 5000),
    ])
    func invalidObjectIsNothing(text: String) throws { #expect(try parse(text) == nil) }

    /// Lines that are cut anywhere and damaged at random give an answer or none, and never a value out of range.
    @Test func damagedLinesDoNoHarm() throws {
      let parser = try #require(GPSDParser())
      for line in [Self.devices, Self.position, Self.newer, Self.sky].map({ Array($0.utf8) }) {
        for end in line.indices { expectSane(parser.parse(Array(line[..<end]))) }
        var random = SplitMix64(seed: UInt64(line.count))
        for _ in 0..<3000 {
          var damaged = line
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 1...255, using: &random)
          }
          expectSane(parser.parse(damaged))
        }
      }
    }

    @Test(arguments: ["1e999", "-1e999", "NaN", "999999999999999999999999", "\"x\"", "[]", "null"])
    func invalidNumbersAreAbsent(number: String) throws {
      expectSane(
        try parse(#"{"class":"TPV","device":"/dev/pts/0","mode":3,"lat":\#(number),"lon":\#(number),"eph":\#(number)}"#)
      )
    }

    private func expectSane(_ report: GPSDReport?) {
      guard case .messages(let messages, _)? = report else { return }
      for case .position(let position) in messages {
        #expect(position.latitude.map { (-90...90).contains($0) } ?? true)
        #expect(position.longitude.map { (-180...180).contains($0) } ?? true)
        for value in [position.eph, position.epv, position.eps, position.altHAE, position.altMSL] {
          #expect(value?.isFinite ?? true)
        }
      }
    }
  }
#endif
