import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import Testing
import WireFormats

/// The service with the real serial driver, with everything that happens to a receiver on a Raspberry Pi.
@Suite(.serialized) struct HostTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("host-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs a stream with a receiver; `act` is called before each epoch, ten times per second, and ends the run when it returns
  /// `false`.
  private func run(
    _ receiver: PluggableReceiver, _ act: @escaping (_ received: [ServiceEvent], _ turn: Int) throws -> Bool
  ) throws -> [ServiceEvent] {
    try host(receiver).serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 600, act)
  }

  private func host(_ receiver: PluggableReceiver) throws -> EmbeddedHost {
    try EmbeddedHost(
      source: .serial(path: receiver.path, baud: nil), stateFolder: folder.appendingPathComponent("state").path,
      minding: nil)
  }

  @Test func aReceiverThatIsUnpluggedAndPluggedInAgainGoesOn() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    var unpluggedAt: Int?
    var pluggedInAfter: Int?
    let received = try run(receiver) { received, turn in
      switch (unpluggedAt, pluggedInAfter) {
      case (nil, _):
        receiver.speak()
        if updates(received).count >= 8 {
          receiver.unplug()
          unpluggedAt = turn
        }
      case (.some, nil):
        // The receiver is plugged in again only after the loss has been reported.
        if received.contains(.streamChanged(RequestID(1), .lost)) {
          pluggedInAfter = updates(received).count
          try receiver.plugIn()
        }
      case (.some, let before?):
        receiver.speak()
        return updates(received).count < before + 5
      }
      return true
    }
    let changes = received.filter { if case .streamChanged = $0 { true } else { false } }
    #expect(changes == [.streamChanged(RequestID(1), .lost), .streamChanged(RequestID(1), .back)])
    #expect(updates(received).count >= 13)
    let times = updates(received).map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "no fix is told twice")
  }

  @Test func garbageAndStallsAreNoFixesAndEndNothing() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    var random = SystemRandomNumberGenerator()
    let received = try run(receiver) { received, turn in
      // First only noise, then noise between valid epochs, then a stall of one second.
      if turn <= 5 || (20...30).contains(turn) {
        receiver.send((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      if turn > 5, !(40...50).contains(turn) { receiver.speak() }
      return turn < 70
    }
    #expect(updates(received).count > 20)
    #expect(!received.contains { if case .failed = $0 { true } else { false } })
    for fix in updates(received) {
      #expect((47.28...47.29).contains(fix.coordinate.latitude.degrees))
      #expect(fix.qualityFlag == nil)
    }
  }

  /// The service that owns a receiver without UBX polls it three times for its identity; a request for one fix does not even do
  /// that.
  @Test(arguments: [true, false]) func aPlainReceiverIsOnlyListenedTo(isOwned: Bool) throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    var written: [UInt8] = []
    var options = OneShotOptions()
    options.desiredRadius68 = Meters(0.001)
    let request: ClientRequest =
      isOwned ? .startUpdates(RequestID(1), UpdateOptions()) : .locate(RequestID(1), options)
    _ = try host(receiver).serve(request, atMost: 600) { _, turn in
      receiver.speak()
      written += receiver.written()
      return turn < 25
    }
    let question = UBXFrame.poll(.monVER) + UBXFrame.poll(.secUNIQID)
    #expect(written == (isOwned ? question + question + question : []))
  }

  /// Another program has the port open; the request waits, and is answered after that program has closed it.
  @Test func aPortIsOpenedWhenAnotherProgramHasClosedIt() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Prints a line when it has the port open, and keeps it open until its input ends.
    other.arguments = ["-c", "exec 3<>\"$1\"; echo open; read -r _", "sh", receiver.path]
    let (input, output) = (Pipe(), Pipe())
    other.standardInput = input
    other.standardOutput = output
    try other.run()
    #expect(output.fileHandleForReading.availableData == Data("open\n".utf8))

    let host = try EmbeddedHost(
      source: .serial(path: receiver.path, baud: nil), stateFolder: folder.appendingPathComponent("state").path,
      minding: nil)
    var options = OneShotOptions()
    options.waitsForSource = true
    options.timeout = .seconds(60)
    var answer: ServiceEvent?
    host.onEvent = { event in
      if case .progress = event { return }
      answer = event
      host.stop()
    }
    host.send(.locate(RequestID(1), options))
    // The host probes the port at its start; a second later, it waits.
    host.setTimer(after: .seconds(1)) {
      #expect(answer == nil)
      try? input.fileHandleForWriting.close()
    }
    func speak() {
      receiver.speak()
      host.setTimer(after: .milliseconds(500), speak)
    }
    host.setTimer(after: .milliseconds(1500), speak)
    try host.run()
    other.waitUntilExit()
    guard case .located? = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
  }
}
