import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationReplay
import LocationdHost
import LocationdServer
import LocationdService
import Testing

/// Pauses in a program that hosts the service itself, in the time of a recording that is played as fast as possible.
@Suite struct HostedPauseTests {
  /// Twenty minutes at one place, then five minutes at 15 m/s.
  private static let recording: Recording = {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = .nmea23
    let place = SimulatedPosition(latitude: 47.37, longitude: 8.54, height: 460)
    configuration.trajectory = .stationary(at: place)
    var recording = Recording(configuration, seconds: 1200)
    configuration.trajectory = .line(from: place, course: Angle(degrees: 0), metersPerSecond: 15)
    configuration.startTime = Recording.start + .seconds(1201)
    var receiver = SimulatedReceiver(configuration)
    let powerOn = Instant(nanoseconds: 0)
    func receive(_ actions: [SimulatedReceiver.Action], _ at: Duration) {
      for case .send(let bytes) in actions { recording.append(bytes, at: .seconds(1201) + at) }
    }
    receive(receiver.handle(.powered, at: powerOn), .zero)
    while let deadline = receiver.nextDeadline, deadline - powerOn <= .seconds(300) {
      receive(receiver.handle(.wake, at: deadline), deadline - powerOn)
    }
    return recording
  }()

  /// The events that a stream with Apple's defaults receives for the recording.
  private func received(_ presence: ClientPresence, canReturn: Bool = false) throws -> [ServiceEvent] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pause-\(UUID().uuidString).capture")
    defer { try? FileManager.default.removeItem(at: file) }
    try Self.recording.write(to: file)
    let host = try EmbeddedHost(source: .replay(path: file.path), realtime: false, minding: nil)
    host.presence = (presence, canReturn)
    let options = UpdateOptions(
      activity: .other, waitsForSource: true, whenNotDetermined: .waits, allowsBackground: false,
      pausesAutomatically: true)
    return try host.serve(.startUpdates(RequestID(1), options), atMost: 600) { received, _ in
      if case .failed? = received.last { false } else { true }
    }
  }

  private func change(_ event: ServiceEvent) -> StreamChange? {
    if case .streamChanged(_, let change) = event { change } else { nil }
  }

  @Test func aServicePausesAndGoesOnInVirtualTime() throws {
    let received = try received(.background)
    let changes = received.compactMap(change)
    #expect(changes == [.paused, .unpaused])
    let paused = try #require(received.firstIndex { change($0) == .paused })
    let resumed = try #require(received.firstIndex { change($0) == .unpaused })
    #expect(resumed == paused + 1, "nothing is told while it is paused")
    // The pause begins after 15 minutes and some seconds, and ends some minutes after the device has set out.
    let (before, after) = (updates(Array(received[..<paused])), updates(Array(received[resumed...])))
    #expect((895...960).contains(before.count))
    let missed = (try #require(after.first).time - (Recording.start + .seconds(1201))).inSeconds
    #expect((0...180).contains(missed) && after.count > 150)
    guard case .failed(_, .sourceEnded)? = received.last else {
      Issue.record("\(String(describing: received.last))")
      return
    }
  }

  @Test func clientsInUseAreNotPaused() throws {
    let received = try received(.inUse)
    #expect(received.compactMap(change) == [] && updates(received).count > 1450)
  }
}
