import Geodesy
import LocationIPC
import LocationdService
import Testing
import WireFormats

/// The satellites that a client receives.
@Suite struct SkyTests {
  typealias Bench = CoreBench
  private let receiver = Bench.receiver("usb-1")

  private static func sky(_ number: UInt32 = 1, waits: Bool = false) -> ServiceCore.Input {
    .request(Bench.client, .watchSky(RequestID(number), waitsForSource: waits))
  }

  private static let list = Bench.sentence("GPGSV,1,1,02,05,40,083,46,12,10,200,")
  private static let used = Bench.sentence("GPGSA,A,3,05,,,,,,,,,,,,2.1,1.0,1.8")

  private func watching(_ observations: DetectedDevice...) -> Bench {
    var bench = Bench()
    for detectedDevice in observations { _ = bench.send(.deviceAppeared(detectedDevice), at: 0) }
    let opened = bench.send(Self.sky(), at: 0)
    #expect(opened == observations.enumerated().map { .open(LinkID($0), $1) })
    for index in observations.indices { #expect(bench.send(.opened(LinkID(index), baud: 9600), at: 0) == []) }
    return bench
  }

  @Test func everyCompleteEpochIsReportedOnce() {
    var bench = watching(receiver)
    for second in 1...3 {
      let reported = bench.receive(Bench.burst(second) + Self.used + Self.list, on: Bench.first, at: Double(second))
      guard reported.reports.count == 1, let report = reported.reports.first else {
        Issue.record("\(reported)")
        return
      }
      #expect(report.device == "/dev/ttyACM0")
      #expect(report.fix == .threeDimensional)
      #expect(report.time == Bench.wallClock + .seconds(second))
      #expect(report.timeValidity == (second < 3 ? .dateUnconfirmed : .confirmed))
      #expect(report.hdop == 1.0 && report.vdop == 1.8 && report.pdop == 2.1)
      // GGA reports 8 used satellites, but the lists contain two, of which one is used: the report never has more used
      // satellites than satellites in view.
      #expect(report.satellitesUsed == 1)
      #expect(report.listAge == .zero)
      var strong = SatelliteReport(.gps, 5)
      (strong.elevationDegrees, strong.azimuthDegrees, strong.signalDecibelHertz, strong.isUsed) = (40, 83, 46, true)
      var unheard = SatelliteReport(.gps, 12)
      (unheard.elevationDegrees, unheard.azimuthDegrees, unheard.isUsed) = (10, 200, false)
      #expect(report.satellites == [strong, unheard])
      #expect(!report.isSimulated)
    }
    #expect(bench.send(Bench.cancel(), at: 4) == [.close(Bench.first)])
    #expect(!bench.core.isBusy)
  }

  /// People place an antenna before there is a fix.
  @Test func withoutAFixItIsReportedToo() {
    var bench = watching(receiver)
    let report = bench.receive(Bench.searching(1) + Self.list, on: Bench.first, at: 1).reports.first
    #expect(report?.fix == nil)
    #expect(report?.satellites?.count == 2)
    #expect(report?.hdop == nil)
    #expect(report?.satellitesUsed == 0)
  }

  @Test func aListThatComesNowAndThenStandsInWithItsAge() {
    var bench = watching(receiver)
    #expect(bench.receive(Bench.burst(1), on: Bench.first, at: 1).reports.map(\.satellites) == [nil])
    _ = bench.receive(Bench.burst(2) + Self.list, on: Bench.first, at: 2)
    for second in 3...4 {
      let report = bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)).reports.first
      #expect(report?.satellites?.count == 2)
      #expect(report?.listAge == .seconds(second - 2))
    }
    // After a minute, the list is no longer reported.
    for second in 5...61 { _ = bench.receive(Bench.burst(second), on: Bench.first, at: Double(second)) }
    #expect(bench.receive(Bench.burst(62), on: Bench.first, at: 62).reports.first?.satellites?.count == 2)
    #expect(bench.receive(Bench.burst(63), on: Bench.first, at: 63).reports.map(\.satellites) == [nil])
  }

  /// The fixes of two receivers are one stream, but their skies are two.
  @Test func twoReceiversAreTwoReports() {
    let other = Bench.receiver("usb-2", path: "/dev/ttyUSB0")
    var bench = watching(receiver, other)
    for second in 1...3 {
      let at = Double(second)
      let first = bench.receive(Bench.burst(second) + Self.list, on: Bench.first, at: at).reports
      let second = bench.receive(Bench.searching(second), on: Bench.second, at: at + 0.3).reports
      #expect(first.map(\.device) == ["/dev/ttyACM0"] && first.map { $0.satellites?.count } == [2])
      #expect(second.map(\.device) == ["/dev/ttyUSB0"] && second.map { $0.satellites?.count } == [0])
    }
  }

  /// GGA counts at most twelve satellites; the lists of used satellites contain more.
  @Test func thoseUsedAreCountedBeyondTwelve() {
    var bench = watching(receiver)
    let numbers = (1...16).map { $0 < 10 ? "0\($0)" : "\($0)" }
    var burst = Bench.burst(1)
    for start in [0, 8] {
      let names = numbers[start..<start + 8].joined(separator: ",")
      burst += Bench.sentence("GPGSA,A,3,\(names),,,,,2.1,1.0,1.8")
    }
    for start in stride(from: 0, to: 16, by: 4) {
      let each = numbers[start..<start + 4].map { "\($0),40,083,46" }.joined(separator: ",")
      burst += Bench.sentence("GPGSV,4,\(start / 4 + 1),16,\(each)")
    }
    let report = bench.receive(burst, on: Bench.first, at: 1).reports.first
    #expect(report?.satellites?.count == 16)
    #expect(report?.satellitesUsed == 16)
    // The fix is lost, and no new list has come.
    let lost =
      Bench.sentence("GNRMC,120002.00,V,,,,,,,010826,,,N,V") + Bench.sentence("GNGGA,120002.00,,,,,0,00,99.99,,,,,,")
    #expect(bench.receive(lost, on: Bench.first, at: 2).reports.first?.satellitesUsed == 0)
  }

  /// A list from before the port was reopened may belong to another sky.
  @Test func aReopenedReceiverBeginsWithoutAList() {
    var bench = watching(receiver)
    _ = bench.receive(Bench.burst(1) + Self.list, on: Bench.first, at: 1)
    _ = bench.send(.closed(Bench.first), at: 2)
    #expect(bench.send(.wake, at: 3) == [.open(Bench.first, receiver)])
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 3)
    #expect(bench.receive(Bench.burst(4), on: Bench.first, at: 4).reports.map(\.satellites) == [nil])
  }

  @Test func signalsOfOneSatelliteAreOneReport() throws {
    var bench = watching(receiver)
    let lists = ["GPGSV,1,1,01,05,,,31,1", "GPGSV,1,1,01,05,40,083,46,8", "GLGSV,1,1,01,73,22,031,33,1"]
    let reported = bench.receive(
      Bench.burst(1) + lists.flatMap { Bench.sentence($0) }, on: Bench.first, at: 1)
    let satellites = try #require(reported.reports.first?.satellites)
    #expect(satellites.map(\.constellation) == [.gps, .glonass])
    #expect(satellites[0].elevationDegrees == 40 && satellites[0].azimuthDegrees == 83)
    #expect(satellites[0].signalDecibelHertz == 46)
    #expect(
      satellites[0].signals == [
        SatelliteSignal(name: "L1 C/A", decibelHertz: 31), SatelliteSignal(name: "L5-Q", decibelHertz: 46),
      ])
    #expect(satellites[1].number == 9)
  }

  /// If the receiver's own bytes are not available, gpsd's reports are used: its SKY comes before the TPV of its epoch.
  @Test func gpsdsOwnWordsWillDo() {
    var bench = watching(receiver)
    var reports: [SkyReport] = []
    for second in 1...3 {
      let time = Bench.wallClock + .seconds(second)
      var sky = GPSDSky()
      (sky.time, sky.hdop, sky.vdop, sky.pdop, sky.used) = (time, 0.95, 1.5, 1.78, 1)
      var used = GPSDSatellite(id: SatelliteID(.galileo, 1), signalDecibelHertz: 36, isUsed: true)
      (used.elevationDegrees, used.azimuthDegrees, used.isHealthy) = (22, 301, true)
      let low = GPSDSatellite(id: SatelliteID(.gps, 2), signalDecibelHertz: 0, isUsed: false)
      var position = GPSDPosition(mode: .noFix)
      position.time = time
      for message in [GPSDMessage.sky(sky), .satellite(used), .satellite(low), .position(position)] {
        reports += bench.core.receive(message, on: Bench.first, at: Bench.at(Double(second))).reports
      }
      reports += bench.send(.wake, at: Double(second) + 0.2).reports
    }
    #expect(reports.count == 3)
    var expected = SatelliteReport(.galileo, 1)
    (expected.elevationDegrees, expected.azimuthDegrees, expected.signalDecibelHertz) = (22, 301, 36)
    (expected.isUsed, expected.isHealthy) = (true, true)
    var unheard = SatelliteReport(.gps, 2)
    unheard.isUsed = false
    #expect(reports.last?.satellites == [unheard, expected])
    #expect(reports.last?.hdop == 0.95 && reports.last?.vdop == 1.5 && reports.last?.pdop == 1.78)
    #expect(reports.last?.satellitesUsed == 1 && reports.last?.fix == nil)
    #expect(reports.last?.time == Bench.wallClock + .seconds(3))
  }

  // MARK: - Failures

  @Test func withoutAnyDeviceItFailsUnlessToldToWait() {
    var bench = Bench()
    #expect(bench.send(Self.sky(), at: 0) == [])
    #expect(bench.send(Self.sky(2, waits: true), at: 1) == [])
    #expect(bench.send(.wake, at: 3) == [.send(Bench.client, .failed(RequestID(1), .noSource))])
    #expect(bench.send(.deviceAppeared(receiver), at: 9) == [.open(Bench.first, receiver)])
  }

  @Test func aPortThatCannotBeOpenedIsExplained() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Self.sky(), at: 0)
    let reported = bench.send(.openFailed(Bench.first, .permissionDenied(group: "dialout")), at: 0)
    #expect(reported.failure == .permissionDenied(path: "/dev/ttyACM0", group: "dialout"))
    #expect(!bench.core.isBusy)
  }

  @Test func anUnpluggedReceiverIsWaitedFor() {
    var bench = watching(receiver)
    #expect(bench.receive(Bench.searching(1) + Self.list, on: Bench.first, at: 1).reports.count == 1)
    #expect(bench.send(.deviceVanished(id: "usb-1", path: "/dev/ttyACM0"), at: 2) == [.close(Bench.first)])
    #expect(bench.send(.deviceAppeared(receiver), at: 30) == [.open(Bench.second, receiver)])
    _ = bench.send(.opened(Bench.second, baud: 9600), at: 30)
    #expect(bench.receive(Bench.searching(31) + Self.list, on: Bench.second, at: 31).reports.count == 1)
  }

  @Test func theEndOfAReplayIsItsEnd() {
    var bench = watching(receiver)
    _ = bench.receive(Bench.searching(1) + Self.list, on: Bench.first, at: 1)
    #expect(bench.send(.ended(Bench.first, problem: nil), at: 2).failure == .sourceEnded(path: "/dev/ttyACM0"))
  }

  /// A client that only requests fixes receives no satellites, and one that watches satellites receives no fixes.
  @Test func streamsAndSkiesDoNotMix() {
    var bench = watching(receiver)
    _ = bench.send(Bench.watch(2), at: 0)
    let events = bench.receive(Bench.burst(1) + Self.list, on: Bench.first, at: 1).events
    let requests = events.map { event in
      switch event {
      case .sky(let id, _): "sky \(id.rawValue)"
      case .update(let id, _, _): "update \(id.rawValue)"
      case .located, .failed, .streamChanged, .progress, .devices, .done, .status, .log, .received, .authorization,
        .wifi, .monitoring, .fleet, .places, .batch:
        "other"
      }
    }
    #expect(requests.sorted() == ["sky 1", "update 2"])
    // The receiver stays open for the other client.
    #expect(bench.send(Bench.cancel(2), at: 2) == [])
  }
}

extension [ServiceCore.Action] {
  fileprivate var reports: [SkyReport] {
    events.compactMap { if case .sky(_, let report) = $0 { report } else { nil } }
  }
}
