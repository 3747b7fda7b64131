import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing

/// A receiver between the real gpsd and the service: its owner has it, and the other one does not touch it.
@Suite(.serialized, .enabled(if: RunningGPSD.isInstalled, "gpsd is not installed: apt-get install gpsd"))
struct OwnerTests {
  private let folder: URL
  private static let question = RequestID(1)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("owner-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A service with that port, beside that gpsd.
  private func host(_ path: String, beside gpsd: RunningGPSD, control: String? = nil) throws -> EmbeddedHost {
    var address = GPSDAddress(host: "localhost", port: gpsd.port)
    address.controlSocket = control ?? gpsd.controlSocket
    return try EmbeddedHost(source: .serial(path: path, baud: nil), stateFolder: folder.path, minding: address)
  }

  private var choices: String {
    (try? String(contentsOf: folder.appendingPathComponent("owned-devices"), encoding: .utf8)) ?? ""
  }

  private func plugged(_ name: String = "gps", latitude: Int = 47) throws -> PluggableReceiver {
    let receiver = PluggableReceiver(folder: folder, name: name, latitude: latitude)
    try receiver.plugIn()
    return receiver
  }

  /// Sets an owner; returns the answer.
  private func choose(_ owner: DeviceOwner, of selector: String, on host: EmbeddedHost) throws -> ServiceEvent? {
    try host.serve(.setOwner(Self.question, selector: selector, owner: owner), atMost: 300) { received, _ in
      received.isEmpty
    }
    .first
  }

  private func fix(_ host: EmbeddedHost, _ receiver: PluggableReceiver) throws -> PositionFix? {
    let received = try host.serve(.locate(Self.question, OneShotOptions()), atMost: 600) { received, _ in
      receiver.speak()
      return received.isEmpty
    }
    if case .located(_, let fix, _, _)? = received.first { return fix }
    Issue.record("\(received)")
    return nil
  }

  private func listed(_ host: EmbeddedHost) throws -> DeviceDescription? {
    let received = try host.serve(.listDevices(Self.question), atMost: 100) { received, _ in received.isEmpty }
    if case .devices(_, let devices)? = received.first { return devices.first }
    return nil
  }

  // MARK: - Both ways

  @Test func itIsTakenAndGivenBackAndGPSDLivesOn() throws {
    let (ours, theirs) = (try plugged("ours", latitude: 47), try plugged("theirs", latitude: 20))
    let (node, other) = (ours.node ?? "", theirs.node ?? "")
    let gpsd = try RunningGPSD([node, other], hasControl: true)
    #expect(try listed(host(node, beside: gpsd))?.owner == .gpsd)

    #expect(try choose(.locationd, of: node, on: host(node, beside: gpsd)) == .done(Self.question))
    #expect(choices == node + "\n")
    #expect(try !gpsd.devices().contains(node))
    // The next run knows the setting: the receiver's bytes come directly from the port.
    #expect(try listed(host(node, beside: gpsd))?.owner == .locationd)
    #expect(try fix(host(node, beside: gpsd), ours)?.device == node)
    #expect(try !gpsd.devices().contains(node))
    // The other receiver and its clients are not affected.
    #expect(gpsd.isRunning)
    #expect(try fix(host(other, beside: gpsd), theirs)?.coordinate.latitude.degrees.rounded(.down) == 20)

    #expect(try choose(.gpsd, of: node, on: host(node, beside: gpsd)) == .done(Self.question))
    #expect(choices == "")
    #expect(try gpsd.devices().contains(node))
    #expect(try listed(host(node, beside: gpsd))?.owner == .gpsd)
    #expect(gpsd.isRunning)
  }

  /// With a client: the receiver's settings are restored, its port is closed, and only then gpsd gets it.
  @Test func aReceiverIsRestoredBeforeGPSDHasIt() throws {
    let receiver = try PluggedUblox(factorySet: .ublox9)
    let before = receiver.receiver.memory
    // gpsd opens the port after it has dropped its privileges.
    _ = unsafe chmod(receiver.path, 0o666)
    let gpsd = try RunningGPSD([], options: [], hasControl: true)
    let host = try host(receiver.path, beside: gpsd)
    func live() {
      receiver.live()
      host.setTimer(after: .milliseconds(50), live)
    }
    live()
    var isAsked = false
    var wasClosedAsBefore = false
    let choice = RequestID(2)
    let options = UpdateOptions(activity: .airborne)
    let received = try host.serve(.startUpdates(Self.question, options), atMost: 300) { received, _ in
      if !isAsked, receiver.receiver.memory?.dynamicModel == 6, !updates(received).isEmpty {
        isAsked = true
        host.send(.setOwner(choice, selector: receiver.path, owner: .gpsd))
      }
      guard received.contains(where: { $0.request == choice }) else { return true }
      wasClosedAsBefore = receiver.receiver.memory == before
      return false
    }
    #expect(received.contains(.done(choice)), "\(received)")
    #expect(wasClosedAsBefore)
    #expect(try gpsd.devices().contains(receiver.path))
  }

  /// A stream continues across both changes, with at most a gap.
  @Test func aStreamOutlivesTheChange() throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([node], hasControl: true)
    let host = try host(node, beside: gpsd)
    let choice = RequestID(2)
    var before: Int?
    let received = try host.serve(.startUpdates(Self.question, UpdateOptions()), atMost: 600) { received, _ in
      receiver.speak()
      if before == nil, updates(received).count >= 3 {
        before = updates(received).count
        host.send(.setOwner(choice, selector: node, owner: .locationd))
      }
      return updates(received).count < (before ?? 1000) + 5
    }
    #expect(received.contains(.done(choice)))
    let times = updates(received).map(\.time)
    #expect(times.count >= 8)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try !gpsd.devices().contains(node))
  }

  /// gpsd's hot-plugging script gives the receiver to gpsd again; the next request takes it back.
  @Test func whatHotplugGivesBackIsTakenAgain() throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([node], options: [], hasControl: true)
    #expect(try choose(.locationd, of: node, on: host(node, beside: gpsd)) == .done(Self.question))
    for _ in 0..<3 {
      #expect(try gpsd.hotplug(node) == "OK")
      #expect(try gpsd.devices().contains(node))
      // While gpsd is being asked to release the receiver, a fix may still come through gpsd.
      for _ in 0..<10 where try gpsd.devices().contains(node) {
        #expect(try fix(host(node, beside: gpsd), receiver)?.device == node)
      }
      #expect(try !gpsd.devices().contains(node))
    }
    #expect(gpsd.isRunning)
  }

  // MARK: - What gpsd does not support

  @Test func withoutAControlSocketItIsReportedAndKeptAndReadThroughGPSD() throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([node])
    let failure = LocationFailure.notHandedOver(path: node, to: .locationd, .noSocket(gpsd.controlSocket))
    #expect(try choose(.locationd, of: node, on: host(node, beside: gpsd)) == .failed(Self.question, failure))
    #expect(choices == node + "\n")
    #expect(try listed(host(node, beside: gpsd))?.owner == .gpsd)
    #expect(try fix(host(node, beside: gpsd), receiver) != nil)
    #expect(try gpsd.devices().contains(node), "it was never opened beside it")
    // The service gets it as soon as gpsd releases it, here by the end of gpsd.
    gpsd.kill()
    #expect(try listed(host(node, beside: gpsd))?.owner == .locationd)
    #expect(try fix(host(node, beside: gpsd), receiver)?.device == node)
  }

  /// A killed gpsd leaves a socket in the file system that nobody serves any more.
  @Test func aGPSDThatEndsLeavesItToUs() throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([node], hasControl: true)
    let host = try host(node, beside: gpsd)
    var isKilled = false
    let received = try host.serve(.startUpdates(Self.question, UpdateOptions()), atMost: 600) { received, _ in
      receiver.speak()
      if !isKilled, updates(received).count >= 3 {
        isKilled = true
        gpsd.kill()
        host.send(.setOwner(RequestID(2), selector: node, owner: .locationd))
      }
      return updates(received).count < 8
    }
    #expect(received.contains(.done(RequestID(2))), "\(received)")
    #expect(updates(received).count >= 8)
  }

  @Test func whereThereIsNoGPSDNothingCanBeGivenToIt() throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([])
    gpsd.kill()
    let failure = LocationFailure.notHandedOver(path: node, to: .gpsd, .noSocket(gpsd.controlSocket))
    #expect(try choose(.gpsd, of: node, on: host(node, beside: gpsd)) == .failed(Self.question, failure))
    #expect(try fix(host(node, beside: gpsd), receiver)?.device == node)
  }

  /// Another program listens on the control socket.
  @Test(arguments: ["what?\n", "\n", "\u{0}\u{1}", String(repeating: "x", count: 9000), "ERROR\n"])
  func garbageOnTheControlSocketLeavesItWithGPSD(text: String) throws {
    let receiver = try plugged()
    let node = receiver.node ?? ""
    let gpsd = try RunningGPSD([node])
    let socket = "/tmp/owner-\(UUID().uuidString.prefix(8))"
    let listener = try UnixListener(at: socket, UnixListener.Access(mode: 0o600))
    let host = try host(node, beside: gpsd, control: socket)
    func accept() {
      if let stream = try? listener.accept() { _ = stream.write(Array(text.utf8)[...]) }
      host.setTimer(after: .milliseconds(20), accept)
    }
    accept()
    let problem: HandoverProblem = text == "ERROR\n" ? .refused : .noAnswer
    let failure = LocationFailure.notHandedOver(path: node, to: .locationd, problem)
    #expect(try choose(.locationd, of: node, on: host) == .failed(Self.question, failure))
    #expect(try gpsd.devices().contains(node))
    #expect(gpsd.isRunning)
  }

  @Test func aGPSDOfAnotherMachineIsNotAsked() throws {
    #expect(GPSDAddress(host: "localhost", port: 1).isLocal && GPSDAddress(host: "127.0.0.2", port: 1).isLocal)
    #expect(!GPSDAddress(host: "192.168.1.7", port: 1).isLocal && !GPSDAddress(host: "pi", port: 1).isLocal)
  }

  @Test func anInvalidNameIsReported() throws {
    let receiver = try plugged()
    let gpsd = try RunningGPSD([])
    let host = try host(receiver.path, beside: gpsd)
    let failure = LocationFailure.unknownDevice(selector: "/dev/ttyACM99", known: [receiver.path])
    #expect(try choose(.locationd, of: "/dev/ttyACM99", on: host) == .failed(Self.question, failure))
    #expect(choices == "")
  }
}
