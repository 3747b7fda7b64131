import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing

/// What a live run receives, and what results from playing its capture.
@Suite(.serialized) struct RecordingTests {
  private let folder: URL
  private var capture: String { folder.appendingPathComponent("my.capture").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func record(_ host: EmbeddedHost) throws -> CaptureRecording {
    let recording = try CaptureRecording(
      path: capture, replacing: true, limits: CaptureRecording.Limits(), scrub: nil, comment: "test")
    host.record(to: recording)
    return recording
  }

  private func lines() throws -> [Substring] {
    try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n")
  }

  /// The part of a fix that does not depend on whether it is played: its radius has grown until it was delivered, and the machine
  /// may have been late then.
  private struct Essence: Hashable {
    var time: GNSSTime
    var coordinate: Coordinate
    var height: Meters?
    var speed: Double?
    var course: Angle?
    var kind: FixKind
    var satellites: Int?

    init(_ fix: PositionFix) {
      time = fix.time
      coordinate = fix.coordinate
      height = fix.heightAboveMeanSeaLevel
      speed = fix.speedMetersPerSecond
      course = fix.course
      kind = fix.kind
      satellites = fix.satellitesUsed
    }
  }

  private func replayed() throws -> [Essence] {
    let host = try EmbeddedHost(source: .replay(path: capture), realtime: false)
    var fixes: [PositionFix] = []
    host.onEvent = { event in
      switch event {
      case .update(_, let fix, _): fixes.append(fix)
      case .failed: host.stop()
      case _: break
      }
    }
    host.send(.startUpdates(RequestID(1), UpdateOptions()))
    try host.run()
    return fixes.map(Essence.init)
  }

  /// The receiver is unplugged and plugged in again during the run.
  @Test func aCapturePlaysAsItWasReceived() throws {
    let receiver = PluggableReceiver(folder: folder)
    try receiver.plugIn()
    let host = try EmbeddedHost(
      source: .serial(path: receiver.path, baud: 9600), stateFolder: folder.path, minding: nil)
    let recording = try record(host)
    var state = 0
    let received = try host.serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 300) { received, _ in
      let count = updates(received).count
      switch state {
      case 0 where count >= 8:
        receiver.unplug()
        state = 1
      case 1 where received.contains(.streamChanged(RequestID(1), .lost)):
        try receiver.plugIn()
        state = 2
      case 2 where count >= 16:
        // The recording ends before the host closes the port.
        #expect(recording.finish() == nil)
        return false
      case 0, 2: receiver.speak()
      case _: break
      }
      return true
    }
    let live = updates(received).map(Essence.init)
    #expect(live.count >= 16)
    let played = try replayed()
    // The last epoch may have become complete only after the end.
    #expect(played.prefix(live.count) == live[...])
    #expect(played.count <= live.count + 1)
    let lines = try lines()
    #expect(lines.filter { $0.contains(" device 1 path=\(receiver.path)") }.count == 2)
    #expect(lines.filter { $0.hasSuffix(" gone 1") }.count == 1)
    #expect(lines[2].contains(" start 0 "))
  }

  #if GPSD
    /// The receiver of gpsd by its own bytes, all of them.
    @Test(.enabled(if: RunningGPSD.isInstalled, "gpsd is not installed: apt-get install gpsd"))
    func aReceiverOfGPSDIsRecordedByItsBytes() throws {
      let receiver = PluggableReceiver(folder: folder)
      try receiver.plugIn()
      let gpsd = try RunningGPSD([receiver.node ?? ""])
      let host = try EmbeddedHost(
        source: .gpsd(GPSDAddress(host: "localhost", port: gpsd.port)), stateFolder: folder.path, minding: nil)
      let recording = try record(host)
      let received = try host.serve(.startUpdates(RequestID(1), UpdateOptions()), atMost: 900) { received, _ in
        receiver.speak()
        guard updates(received).count >= 8 else { return true }
        #expect(recording.finish() == nil)
        return false
      }
      let live = updates(received).map(Essence.init)
      #expect(live.count >= 8)
      #expect(try replayed().prefix(live.count) == live[...])
      let text = try lines().joined(separator: "\n")
      #expect(text.contains("$GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5*"))
      #expect(text.contains(" device 1 path=\(receiver.node ?? "?")"))
      #expect(!text.contains("\"class\""))
    }
  #endif
}
