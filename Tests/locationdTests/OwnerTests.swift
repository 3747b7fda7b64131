import Foundation
import TestSupport
import Testing

/// `locationctl devices --owner` as a person runs it: a receiver that umockdev simulates, the real gpsd, which lists it, with and
/// without a daemon.
@Suite(
  .serialized,
  .enabled(
    if: RunningGPSD.isInstalled && DeviceBed.isInstalled, "needs gpsd and umockdev: apt-get install gpsd umockdev"))
struct OwnerTests {
  private let place: RunningDaemon.Place
  private let bed: DeviceBed
  private let gpsd: RunningGPSD
  /// Names that no machine has, because gpsd also looks for devices outside the simulated ones.
  private let path = "/dev/ttyACM97"
  private let nextPath = "/dev/ttyACM98"
  private let receiver = BedPort(
    name: "ttyACM97", minor: 97, vendor: "1546", product: "01a8", strings: ["product": "u-blox GNSS receiver"])

  init() throws {
    place = try RunningDaemon.Place()
    bed = try DeviceBed()
    // gpsd opens no device before a client watches it.
    gpsd = try RunningGPSD([], options: [], hasControl: true)
    try bed.add(receiver)
  }

  private var environment: [String: String] {
    bed.environment.merging(["LOCATIOND_GPSD": "localhost:\(gpsd.port)", "GPSD_SOCKET": gpsd.controlSocket]) { $1 }
  }

  private func run(_ arguments: String...) throws -> CommandRun.Result {
    try CommandRun(["devices"] + arguments, at: place, environment: environment).finish()
  }

  private func listed() throws -> [String: Any] { try run("--listen", "0").objects.first ?? [:] }

  private func owner() throws -> String? { try listed()["owner"] as? String }

  private func isGPSDs(_ path: String = "/dev/ttyACM97") throws -> Bool { try gpsd.devices().contains(path) }

  @Test func withADaemonAlsoAfterAReplugAndAReboot() throws {
    #expect(try gpsd.hotplug(path) == "OK")
    var daemon = try RunningDaemon.listening([], at: place, environment: environment)
    #expect(try owner() == "gpsd")
    let taken = try run("--owner", "locationd", path)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(taken.output.isEmpty && taken.errors.split(whereSeparator: \.isNewline).count == 1, "\(taken.errors)")
    #expect(try !isGPSDs())
    #expect(try owner() == "locationd")
    try daemon.awaitLine("gpsd has released \(path)")

    // After it is plugged in again, it has another name, and gpsd's hot-plugging script gives it to gpsd.
    try bed.unplug(receiver)
    try daemon.awaitLine("\(path) was unplugged")
    var again = receiver
    (again.name, again.minor, again.isReplugged) = ("ttyACM98", 98, true)
    try bed.plug(again)
    #expect(try gpsd.hotplug(nextPath) == "OK")
    try daemon.awaitLine("gpsd has released \(nextPath)")
    #expect(try !isGPSDs(nextPath))
    #expect(try listed()["path"] as? String == nextPath)

    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    #expect(try gpsd.hotplug(nextPath) == "OK")
    daemon = try RunningDaemon.listening([], at: place, environment: environment)
    try daemon.awaitLine("gpsd has released \(nextPath)")
    #expect(try owner() == "locationd")
    #expect(try !isGPSDs(nextPath))

    // By its stable ID, and also by its path.
    let id = try #require(try listed()["id"] as? String)
    #expect(id.hasPrefix("usb-1546-01a8"))
    #expect(try run("--owner", "gpsd", id).status == 0)
    try daemon.awaitLine("gpsd has taken over \(nextPath)")
    #expect(try isGPSDs(nextPath))
    #expect(try owner() == "gpsd")
    #expect(gpsd.isRunning)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func withoutADaemonTheCommandDoesIt() throws {
    #expect(try gpsd.hotplug(path) == "OK")
    #expect(try owner() == "gpsd")
    #expect(try run("--owner", "locationd", path).status == 0)
    #expect(try !isGPSDs())
    #expect(try owner() == "locationd")
    let kept = try String(
      contentsOf: place.folder.appendingPathComponent("state/owned-devices"), encoding: .utf8)
    #expect(kept.hasPrefix("usb-1546-01a8"))
    // gpsd has the device again: the next command takes it back before it reads the owner.
    #expect(try gpsd.hotplug(path) == "OK")
    #expect(try owner() == "locationd")
    #expect(try !isGPSDs())
    #expect(try run("--owner", "gpsd", path).status == 0)
    #expect(try isGPSDs())
    #expect(try owner() == "gpsd")
    #expect(gpsd.isRunning)
  }

  @Test func unsupportedGPSDCommandsAreReported() throws {
    #expect(try gpsd.hotplug(path) == "OK")
    let away = gpsd.controlSocket + ".away"
    try FileManager.default.moveItem(atPath: gpsd.controlSocket, toPath: away)
    defer { try? FileManager.default.removeItem(atPath: away) }
    let run = try run("--owner", "locationd", path)
    #expect(run.status == 75)
    #expect(run.errors.contains("'sudo GPSD_SOCKET=\(gpsd.controlSocket) gpsdctl remove \(path)'"))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try owner() == "gpsd")
    // After the user has made the change by hand, the setting applies.
    try FileManager.default.moveItem(atPath: away, toPath: gpsd.controlSocket)
    #expect(try owner() == "locationd")
  }

  @Test func anInvalidNameIsReported() throws {
    let run = try run("--owner", "locationd", "/dev/ttyACM7")
    #expect(run.status == 69)
    #expect(run.errors.contains("'/dev/ttyACM7'") && run.errors.contains("usb-1546-01a8"))
  }
}
