import Foundation
import TestSupport
import Testing

/// Only one daemon per state folder, and what a killed daemon leaves behind.
@Suite(.serialized) struct StateTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  @Test func twoDaemonsNeverShareAState() throws {
    let first = try RunningDaemon.listening(at: place)
    let other = place.folder.appendingPathComponent("other").path
    let second = try RunningDaemon(at: place, environment: ["LOCATIOND_SOCKET": other])
    #expect(second.end() == 75)
    let lines = second.rest()
    let state = place.folder.appendingPathComponent("state").path
    #expect(
      lines == [
        "locationd: Another locationd (process \(first.processID)) uses the state folder \(state): stop it, or set LOCATIOND_STATE "
          + "to another folder."
      ])
    // A command that hosts the service itself is not a daemon, and a killed daemon holds no lock.
    #expect(try CommandRun.run("fix", "--source", "simulator", at: place).status == 0)
    first.send(SIGKILL)
    _ = first.end()
    let third = try RunningDaemon.listening(at: place)
    third.send(SIGTERM)
    #expect(third.end() == 0)
  }

  /// As created with umask 002 by a user with a private group.
  @Test func aStateFolderThatItsOwnGroupCanWriteIsClosedToIt() throws {
    let state = place.folder.appendingPathComponent("state").path
    #expect(unsafe mkdir(state, 0o700) == 0)
    #expect(unsafe chmod(state, 0o775) == 0)
    let daemon = try RunningDaemon.listening(at: place)
    let attributes = try FileManager.default.attributesOfItem(atPath: state)
    #expect(attributes[.posixPermissions] as? Int == 0o755)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aStateFolderThatOthersCanWriteIsRefused() throws {
    let state = place.folder.appendingPathComponent("state").path
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    // The umask may have removed bits when the folder was created.
    #expect(unsafe chmod(state, 0o777) == 0)
    let daemon = try RunningDaemon(at: place)
    #expect(daemon.end() == 77)
    #expect(daemon.rest().contains { $0.contains("can be written by others (mode 777)") })
  }

  @Test func aTakenSocketNamesItsRemedy() throws {
    let first = try RunningDaemon.listening(at: place)
    let second = try RunningDaemon(
      at: place, environment: ["LOCATIOND_STATE": place.folder.appendingPathComponent("other").path])
    #expect(second.end() == 75)
    #expect(second.rest().map { $0.contains("set LOCATIOND_SOCKET to another socket") } == [true])
    withExtendedLifetime(first) {}
  }

  @Test func theIndicatorSaysWhoseWordItIs() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let data = try Data(contentsOf: place.folder.appendingPathComponent("indicator"))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["process"] as? Int == Int(daemon.processID))
  }

  @Test func aLightThatIsNotThereIsNamed() throws {
    let daemon = try RunningDaemon(at: place, environment: ["LOCATIOND_LED": "/sys/class/leds/none"])
    let line = try daemon.awaitLine("Cannot set the light /sys/class/leds/none (no such file or directory)")
    #expect(line.contains("set 'led' (LOCATIOND_LED) to a folder"))
    try daemon.awaitLine("Listening")
    // The file is nevertheless written.
    let data = try Data(contentsOf: place.folder.appendingPathComponent("indicator"))
    #expect(!data.isEmpty)
  }
}
