import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import Testing

/// A u-blox with its factory settings, behind the real serial driver: it is set while a client uses it, and restored when the
/// command has ended.
@Suite(.serialized) struct CareHostTests {
  private let state = FileManager.default.temporaryDirectory.appendingPathComponent("care-\(UUID().uuidString)")

  private func host(_ receiver: PluggedUblox) throws -> EmbeddedHost {
    try EmbeddedHost(source: .serial(path: receiver.path, baud: nil), stateFolder: state.path, minding: nil)
  }

  @Test(arguments: [Dialect.ublox7, .ublox9]) func itIsRestoredBeforeTheCommandEnds(dialect: Dialect) throws {
    let receiver = try PluggedUblox(factorySet: dialect)
    let before = receiver.receiver.memory
    let host = try host(receiver)
    var wasSet = false
    // The receiver keeps running while the host restores it.
    func live() {
      receiver.live()
      host.setTimer(after: .milliseconds(50), live)
    }
    live()
    let options = UpdateOptions(activity: .airborne)
    let received = try host.serve(.startUpdates(RequestID(1), options), atMost: 200) { received, _ in
      wasSet = receiver.receiver.memory?.dynamicModel == 6
      return !(wasSet && updates(received).contains { $0.horizontalRadius68 < Meters(2) })
    }
    #expect(wasSet)
    #expect(updates(received).contains { $0.horizontalRadius68 < Meters(2) }, "by its own accuracy")
    #expect(receiver.receiver.memory == before)
  }

  /// The process ends without restoring anything, like one that is killed: the changed settings are in the state folder, and the
  /// next command restores them.
  @Test func theNextCommandRestoresSettingsOfAKilledOne() throws {
    let receiver = try PluggedUblox(factorySet: .ublox9)
    let before = receiver.receiver.memory
    let folder = state.appendingPathComponent("settings").path
    func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
    func watch(_ host: EmbeddedHost, fixes: Int, atEnd: @escaping () -> Void) throws {
      _ = try host.serve(.startUpdates(RequestID(1), UpdateOptions(activity: .airborne)), atMost: 300) { received, _ in
        receiver.live()
        let isSet = receiver.receiver.memory?.dynamicModel == 6 && receiver.receiver.memory?.outputs.count == 3
        let isOver = isSet && updates(received).count >= fixes
        if isOver { atEnd() }
        return !isOver
      }
    }
    do {
      // The killed host releases its port when it is deallocated, and does nothing else. A second `stop` does not wait.
      let killed = try host(receiver)
      try watch(killed, fixes: 1) { [unowned killed] in
        killed.stop()
        killed.stop()
      }
    }
    #expect(receiver.receiver.memory != before)
    #expect(files() == ["ublox-5C0FFEE001.txt"])
    let next = try host(receiver)
    // By then, the receiver has been polled for its identity and its settings.
    try watch(next, fixes: 20) {
      func live() {
        receiver.live()
        next.setTimer(after: .milliseconds(50), live)
      }
      live()
    }
    #expect(receiver.receiver.memory == before)
    #expect(files().isEmpty)
  }

  /// The receiver's own identification is known before it is opened again.
  @Test func itIsKnownTheNextTime() throws {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = .ublox9
    configuration.announcesSimulation = false
    let receiver = try PluggedUblox(configuration)
    let first = try host(receiver)
    _ = try first.serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 100) { received, _ in
      receiver.live()
      return updates(received).count < 4
    }
    var listed: [DeviceDescription] = []
    _ = try host(receiver).serve(.listDevices(RequestID(1)), atMost: 100) { received, _ in
      for case .devices(_, let devices) in received { listed = devices }
      return listed.isEmpty
    }
    let device = try #require(listed.first)
    #expect(device.chip == "NEO-M9N" && device.firmware == "SPG 4.04" && device.protocolName == "ubx")
    #expect(device.state == .closed)
  }
}
