import CAllocationCounter
import GPSDServer
import Geodesy
import LocationIPC
import Testing

/// TPV, SKY and GST: each key, and when it is absent.
@Suite struct GPSDObjectTests {
  @Test func aWholeEpoch() {
    let lines = ServedEpoch.lines { $0.sky = ServedEpoch.sky(satellites: 2) }
    #expect(
      lines == [
        #"{"class":"SKY","device":"/dev/ttyACM0","time":"2026-03-01T12:34:56.000Z","vdop":1.12,"hdop":0.75,"#
          + #""pdop":1.35,"nSat":2,"uSat":2,"satellites":["#
          + #"{"PRN":1,"el":10,"az":0,"ss":20,"used":true,"gnssid":0,"svid":1,"health":1},"#
          + #"{"PRN":65,"el":11,"az":37,"ss":21,"used":true,"gnssid":6,"svid":1,"health":1}]}"#,
        #"{"class":"GST","device":"/dev/ttyACM0","time":"2026-03-01T12:34:56.000Z","lat":1.061,"lon":1.061,"alt":2.000}"#,
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-03-01T12:34:56.000Z","ept":0.005,"#
          + #""lat":48.125011667,"lon":-11.575011667,"altHAE":592.3100,"altMSL":545.4100,"alt":545.4100,"eph":1.500,"#
          + #""epx":1.061,"epy":1.061,"epv":2.000,"sep":2.500,"geoidSep":46.9000,"speed":12.500,"eps":0.100,"#
          + #""track":84.4000,"epd":0.5000}"#,
      ])
  }

  /// The 68 % radius of the fix is that of its delivery, and grows by its speed until it is sent.
  @Test func theRadiusIsAgedToTheMomentOfSending() {
    #expect(ServedEpoch.tpv(later: .milliseconds(400)).number("eph") == 6.5)
    let tpv = ServedEpoch.tpv(later: .seconds(2))
    let (eph, epx, epy) = (tpv.number("eph"), tpv.number("epx"), tpv.number("epy"))
    #expect(eph == 26.5)
    #expect((epx * epx + epy * epy - eph * eph).magnitude < 0.1)
  }

  @Test func whatIsUnknownIsAbsent() {
    let tpv = ServedEpoch.tpv { epoch in
      epoch.fix?.heightAboveEllipsoid = nil
      epoch.fix?.heightAboveMeanSeaLevel = nil
      epoch.fix?.verticalRadius68 = nil
      epoch.fix?.speedMetersPerSecond = nil
      epoch.fix?.speedRadius68MetersPerSecond = nil
      epoch.fix?.course = nil
      epoch.fix?.courseRadius68 = nil
      epoch.fix?.timeValidity = .dateUnconfirmed
    }
    #expect(
      tpv == #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":48.125011667,"lon":-11.575011667,"eph":1.500,"#
        + #""epx":1.061,"epy":1.061}"#)
  }

  @Test func theTrackOfAStandingReceiverIsAbsent() {
    let tpv = ServedEpoch.tpv { $0.fix?.speedMetersPerSecond = 0.29 }
    #expect(tpv.value("speed") == "0.290" && tpv.value("track") == nil && tpv.value("epd") == nil)
  }

  @Test(
    arguments: [
      (FixKind.twoDimensional, "2", nil), (.threeDimensional, "3", nil), (.differential, "3", "2"),
      (.rtkFixed, "3", "3"), (.rtkFloat, "3", "4"), (.estimated, "3", "5"),
    ] as [(FixKind, String, String?)])
  func modeAndStatus(kind: FixKind, mode: String, status: String?) {
    let tpv = ServedEpoch.tpv { $0.fix?.kind = kind }
    #expect(tpv.value("mode") == mode && tpv.value("status") == status)
    #expect((tpv.value("alt") == nil) == (mode == "2"))
  }

  @Test func theAgeOfCorrectionsIsSent() {
    #expect(ServedEpoch.tpv { $0.fix?.correctionAge = .milliseconds(2040) }.value("dgpsAge") == "2.0")
    let standing = ServedEpoch.tpv { epoch in
      epoch.fix?.correctionAge = .seconds(1)
      epoch.fix?.speedMetersPerSecond = 0
    }
    #expect(standing.value("dgpsAge") == "1.0")
    #expect(ServedEpoch.tpv().value("dgpsAge") == nil)
  }

  @Test func aSimulatedFixSaysSo() {
    #expect(ServedEpoch.tpv { $0.fix?.isSimulated = true }.value("status") == "8")
  }

  @Test func wifiHasNoHeightAndNoReceiver() {
    let lines = ServedEpoch.lines { epoch in
      epoch.sky = nil
      epoch.fix?.technologies = .wifi
      epoch.fix?.kind = .estimated
      epoch.fix?.device = nil
      epoch.fix?.speedMetersPerSecond = nil
      epoch.fix?.timeValidity = TimeValidity.none
    }
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix(#"{"class":"TPV","device":"locationd","mode":2,"lat""#))
    #expect(lines[0].value("alt") == nil && lines[0].value("status") == nil && lines[0].value("time") == nil)
  }

  /// A fix that is not credible has no position here, because clients know no better value.
  @Test func aSuspectFixIsNoFix() {
    let lines = ServedEpoch.lines { $0.fix?.qualityFlag = .jammed }
    #expect(lines.map(ServedClient.className) == ["SKY", "TPV"])
    #expect(lines[1].value("mode") == "1" && lines[1].value("lat") == nil && lines[1].value("eph") == nil)
    #expect(lines[1].hasSuffix(#""xSuspect":"jammed"}"#))
  }

  @Test func withoutAFixTheTimeRemains() {
    let tpv = ServedEpoch.tpv { $0.fix = nil }
    #expect(
      tpv == #"{"class":"TPV","device":"/dev/ttyACM0","mode":1,"time":"2026-03-01T12:34:56.000Z","ept":0.005}"#)
  }

  @Test func anIncompleteListIsNotSent() {
    #expect(ServedEpoch.lines { $0.sky?.satellites = nil }.count == 2)
    #expect(ServedEpoch.lines { $0.sky?.listAge = .seconds(1) }.count == 2)
  }

  @Test(arguments: [
    (SatelliteConstellation.gps, 32, 32, 0), (.sbas, 120, 120, 1), (.galileo, 36, 336, 2), (.beidou, 63, 463, 3),
    (.imes, 1, 173, 4), (.qzss, 1, 193, 5), (.glonass, 32, 96, 6), (.navic, 18, 918, 7),
  ]) func satelliteNumbers(system: SatelliteConstellation, number: Int, prn: Int, gnssid: Int) {
    let sky = ServedEpoch.lines { $0.sky?.satellites = [SatelliteReport(system, number)] }[0]
    #expect(
      sky.contains(
        #""satellites":[{"PRN":\#(prn),"ss":0,"used":false,"gnssid":\#(gnssid),"svid":\#(number)}]"#))
  }

  @Test func objectsAreBounded() {
    let sky = ServedEpoch.lines { epoch in
      epoch.sky = ServedEpoch.sky(satellites: SkyReport.maximumSatellites)
      for index in 0..<SkyReport.maximumSatellites {
        epoch.sky?.satellites?[index].isUsed = index >= 100
        epoch.sky?.satellites?[index].elevationDegrees = -90
      }
    }[0]
    #expect(sky.utf8.count + 2 <= GPSDObjectBuffer.longestObject)
    #expect(sky.value("nSat") == "72" && sky.value("uSat") == "28")
    var device = ServedEpoch.device
    device.firmware = String(repeating: "\"", count: 200)
    let devices = (0..<200).map { index in
      device.path = "/dev/" + String(repeating: "\\", count: 200) + "\(index)"
      return device
    }
    var client = ServedClient(devices: devices)
    client.send("?DEVICES;\n")
    let list = client.lines()[0]
    #expect(list.utf8.count + 2 <= GPSDObjectBuffer.longestObject && list.hasSuffix("}]}"))
  }

  /// Fourteen satellites; gpsd 3.22 needs 2,640 bytes.
  @Test func anEpochIsSmall() {
    let bytes = ServedEpoch.lines().reduce(0) { $0 + $1.utf8.count + 2 }
    #expect(bytes <= 1700, "\(bytes)")
  }

  @Test func credentialsOfNetworkSourcesAreLeftOut() {
    for (path, shown) in [
      ("tcp://user:p@ss@host:2101/x@y", "tcp://host:2101/x@y"), ("tcp://host:1", "tcp://host:1"),
      ("/dev/a@b", "/dev/a@b"),
    ] {
      #expect(ServedEpoch.tpv { $0.fix?.device = path }.value("device") == "\"\(shown)\"")
    }
  }

  /// One encoder serves all clients: the bytes are encoded once, and the next epoch reuses their memory.
  @Test func encodingAndSendingAllocateNothing() {
    guard CAllocationCounter_isAvailable() else { return }
    let devices = ServedClient.list([ServedEpoch.device])
    var encoder = GPSDEpochEncoder(access: .full)
    var sessions = (0..<10).map { _ in GPSDSession(access: .full, devices: devices, at: ServedClient.start) }
    let request = Array("?WATCH={\"json\":true,\"nmea\":true}\n".utf8)
    for index in sessions.indices {
      _ = sessions[index].handle(.received(request), at: ServedClient.start, clock: ServedClient.clock)
    }
    var now = ServedClient.start
    var bytes = 0
    let (fix, sky) = (ServedEpoch.fix(at: now), ServedEpoch.sky())
    func run(_ epochs: Int) {
      for _ in 0..<epochs {
        now = now + .seconds(1)
        var epoch = GPSDEpoch(fix: fix, sky: sky, deliveredAt: now)
        epoch.fix?.time = ServedClient.clock + (now - ServedClient.start)
        for index in sessions.indices {
          let text = encoder.text(epoch, sessions[index].forms, devices: devices, at: now)
          _ = sessions[index].handle(.epoch(text), at: now, clock: ServedClient.clock)
          while case let count = sessions[index].unsent.count, count > 0 {
            bytes += count
            _ = sessions[index].handle(.sent(count), at: now, clock: ServedClient.clock)
          }
        }
      }
    }
    run(3)
    CAllocationCounter_start()
    run(100)
    let allocations = CAllocationCounter_stop()
    #expect(bytes > 100 * 10 * 1500)
    #expect(allocations == 0)
  }
}
