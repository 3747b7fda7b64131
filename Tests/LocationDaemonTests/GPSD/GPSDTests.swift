import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing
import WireFormats

/// The service beside the real gpsd: gpsd keeps its receivers, and the service gets their bytes through gpsd.
@Suite(.serialized, .enabled(if: RunningGPSD.isInstalled, "gpsd is not installed: apt-get install gpsd"))
struct GPSDTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gpsd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func host(_ source: SourceSelection, minding gpsd: RunningGPSD? = nil) throws -> EmbeddedHost {
    let address = gpsd.map { GPSDAddress(host: "localhost", port: $0.port) }
    return try EmbeddedHost(source: source, stateFolder: folder.path, minding: address)
  }

  private func source(_ gpsd: RunningGPSD, host: String = "localhost") -> SourceSelection {
    .gpsd(GPSDAddress(host: host, port: gpsd.port))
  }

  private func fix(_ host: EmbeddedHost, _ receivers: PluggableReceiver...) throws -> PositionFix? {
    let received = try host.serve(.locate(RequestID(1), OneShotOptions()), atMost: 900) { received, _ in
      for receiver in receivers { receiver.speak() }
      return received.isEmpty
    }
    guard case .located(_, let fix, _, _)? = received.first else {
      Issue.record("\(received)")
      return nil
    }
    return fix
  }

  private func plugged(_ name: String = "gps", latitude: Int = 47) throws -> PluggableReceiver {
    let receiver = PluggableReceiver(folder: folder, name: name, latitude: latitude)
    try receiver.plugIn()
    return receiver
  }

  // MARK: -

  /// gpsd itself computes 19 m times the dilution; the receiver's own bytes give a better radius.
  @Test(arguments: ["localhost", "127.0.0.1", "::1"]) func theRadiusIsOursAndNotGPSDs(address: String) throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""])
    let fix = try fix(host(source(gpsd, host: address)), receiver)
    // It includes a tenth of a second at 1.9 m/s.
    #expect(abs((fix?.horizontalRadius68.value ?? 0) - 4.6) < 0.5)
    #expect(fix?.heightAboveMeanSeaLevel == Meters(400))
    #expect(fix?.device == receiver.node)
    #expect(gpsd.isRunning)
  }

  /// gpsd has no clients, so that it has closed its receiver, but the receiver still belongs to gpsd: under any of its names, it
  /// is received through gpsd.
  @Test func aReceiverThatGPSDListsIsNeverOpened() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""], options: [])
    for _ in 0..<5 {
      let fix = try fix(host(.serial(path: receiver.path, baud: nil), minding: gpsd), receiver)
      #expect(fix != nil)
      #expect(gpsd.isRunning)
      #expect(try gpsd.devices().contains(receiver.node ?? "?"))
    }
  }

  /// A receiver that gpsd does not list is opened by the service.
  @Test func aReceiverThatGPSDDoesNotListIsOpened() throws {
    let (theirs, ours) = (try plugged("theirs", latitude: 47), try plugged("ours", latitude: 48))
    let gpsd = try RunningGPSD([theirs.node ?? ""])
    let fix = try fix(host(.serial(path: ours.path, baud: nil), minding: gpsd), theirs, ours)
    #expect(fix.map { (48.2..<48.4).contains($0.coordinate.latitude.degrees) } == true)
  }

  @Test func aStreamOutlivesItsGPSD() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""])
    var isKilled = false
    var before: Int?
    let received = try host(source(gpsd)).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 900) {
      received, _ in
      receiver.speak()
      switch (isKilled, before) {
      case (false, _) where updates(received).count >= 5:
        gpsd.kill()
        isKilled = true
      case (true, nil) where received.contains(.streamChanged(RequestID(1), .lost)):
        before = updates(received).count
        try? gpsd.start()
      case (true, let before?): return updates(received).count < before + 5
      case _: break
      }
      return true
    }
    #expect(received.contains(.streamChanged(RequestID(1), .back)))
    let times = updates(received).map(\.time)
    #expect(times.count >= 10)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
  }

  /// Debian's gpsd does not report that a receiver is unplugged: its stream only becomes silent.
  @Test func silenceBehindGPSDIsLoss() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""])
    let received = try host(source(gpsd)).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 900) {
      received, _ in
      if updates(received).count < 5 { receiver.speak() } else { receiver.unplug() }
      return !received.contains(.streamChanged(RequestID(1), .lost))
    }
    #expect(received.last == .streamChanged(RequestID(1), .lost))
  }

  @Test func twoReceiversAreNotMixed() throws {
    let (north, south) = (try plugged("north", latitude: 60), try plugged("south", latitude: 20))
    let gpsd = try RunningGPSD([north.node ?? "", south.node ?? ""])
    let received = try host(source(gpsd)).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 900) {
      received, _ in
      north.speak()
      south.speak()
      return updates(received).count < 20
    }
    #expect(Set(updates(received).map(\.device)).count == 1)
  }

  /// Its satellites also come through gpsd, decoded by this package.
  @Test func theSkyIsSeenThroughIt() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""])
    func reports(_ events: [ServiceEvent]) -> [SkyReport] {
      events.compactMap { if case .sky(_, let report) = $0 { report } else { nil } }
    }
    let request = ClientRequest.watchSky(RequestID(1), waitsForSource: false)
    let received = try host(source(gpsd)).serve(request, atMost: 900) { received, _ in
      receiver.speak()
      receiver.send(NMEASentence.encode("GPGSV,1,1,02,05,40,083,46,12,10,200,"))
      return reports(received).count { $0.satellites != nil } < 3
    }
    let report = reports(received).last
    #expect(report?.device == receiver.node)
    #expect(report?.fix == .threeDimensional)
    #expect(report?.satellites?.map(\.number) == [5, 12])
    #expect(report?.satellites?.first?.elevationDegrees == 40 && report?.satellites?.first?.azimuthDegrees == 83)
    #expect(report?.satellites?.map(\.isUsed) == [true, false])
    #expect(gpsd.isRunning)
  }

  @Test func aMissingGPSDIsReported() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([receiver.node ?? ""])
    gpsd.kill()
    let received = try host(source(gpsd)).serve(.locate(RequestID(1), OneShotOptions()), atMost: 900) { received, _ in
      received.isEmpty
    }
    #expect(received == [.failed(RequestID(1), .noGPSD(address: "localhost:\(gpsd.port)"))])
  }
}
