import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdConfiguration
import LocationdService
import LocationdServer
import Testing

/// Two receivers with names on pseudo-terminals, behind the real serial driver.
@Suite(.serialized) struct FailoverTests {
  @Test func theNextReceiverIsUsedWhileThePreferredOneIsSilent() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("failover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let roof = PluggableReceiver(folder: folder, name: "roof")
    let boat = PluggableReceiver(folder: folder, name: "boat", latitude: 48)
    for receiver in [roof, boat] { try receiver.plugIn() }

    var settings = ServiceSettings()
    settings.usesWiFi = false
    settings.receivers = ReceiverPreferences(
      receivers: [NamedReceiver(name: "roof", port: roof.path), NamedReceiver(name: "boat", port: boat.path)],
      order: ["roof", "boat"], failoverAfter: .seconds(1))
    let host = try EmbeddedHost(
      source: .automatic, stateFolder: folder.appendingPathComponent("state").path, minding: nil, settings: settings)

    enum Phase { case both, boatAlone, bothAgain }
    var phase = Phase.both
    var (silentAt, backAt) = (0, 0)
    let received = try host.serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 1200) { received, _ in
      let devices = updates(received).map(\.device)
      boat.speak()
      switch phase {
      case .both:
        roof.speak()
        if devices.count(where: { $0 == roof.path }) >= 5 { (phase, silentAt) = (.boatAlone, devices.count) }
      case .boatAlone:
        if devices.last == boat.path, devices.count >= silentAt + 5 { (phase, backAt) = (.bothAgain, devices.count) }
      case .bothAgain:
        roof.speak()
        return devices.dropFirst(backAt).count(where: { $0 == roof.path }) < 5
      }
      return true
    }
    let devices = updates(received).map(\.device)
    let runs = devices.reduce(into: [String?]()) { if $0.last != $1 { $0.append($1) } }
    // Which of the two has the first fix is chance; from then on the preferred one is used whenever it has fixes.
    #expect(runs.drop { $0 == boat.path } == [roof.path, boat.path, roof.path], "\(runs)")
    #expect(silentAt > 0 && backAt > silentAt && devices.count > backAt)
  }
}
