import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import LocationdServer
import LocationdService
import TestSupport
import Testing

/// Half an hour of a real receiver with its truth, through the whole service.
@Suite(.serialized, .enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
struct RecordedDriveTests {
  private let drive: RecordedDrive

  init() throws { drive = try RecordedDrive() }

  /// Its whole output of 28 minutes, in one second.
  @Test func inVirtualTimeEveryFixIsWithinTwoMetersOfTheTruth() throws {
    let host = try EmbeddedHost(source: .replay(path: RecordedDrive.logPath), realtime: false)
    let fixes = try fixes(of: host) {}
    // One of its seconds, 02:32:30, has only a GLL.
    #expect(fixes.count == drive.epochs.count + 1)
    expectTruth(fixes, atLeast: 1628)
  }

  /// At its own pace over a line: its bytes come at 115,200 baud, once per second, through the serial driver. The short form
  /// plays the 15 seconds around two of its damaged sentences; `LOCATION_SOAK=1` plays everything.
  @Test func atItsOwnPaceEveryFixIsWithinTwoMetersOfTheTruth() throws {
    let isLong = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"
    let leg = isLong ? drive.epochs[...] : drive.epochs[710..<725]
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("drive-\(UUID().uuidString)")
    let line = try Line()
    let host = try EmbeddedHost(source: .serial(path: line.path, baud: nil), stateFolder: state.path, minding: nil)
    let fixes = try fixes(of: host) { line.play(leg, on: host) }
    // The first epoch may be over before the port is open.
    #expect(fixes.count >= leg.count - 2)
    expectTruth(fixes, atLeast: isLong ? 1626 : leg.count - 2)
  }

  /// All fixes of a stream until the source has ended or `host` was stopped.
  private func fixes(of host: EmbeddedHost, _ begin: () -> Void) throws -> [PositionFix] {
    var fixes: [PositionFix] = []
    host.onEvent = { event in
      switch event {
      case .update(_, let fix, _): fixes.append(fix)
      case .failed: host.stop()
      case _: break
      }
    }
    host.send(.startUpdates(RequestID(1), UpdateOptions()))
    begin()
    try host.run()
    return fixes
  }

  private func expectTruth(_ fixes: [PositionFix], atLeast least: Int) {
    var compared = 0
    for fix in fixes {
      #expect(fix.qualityFlag == nil)
      guard let error = drive.error(of: fix) else { continue }
      compared += 1
      #expect(error < Meters(2), "\(fix.time)")
    }
    #expect(compared >= least)
    for (earlier, later) in zip(fixes, fixes.dropFirst()) { #expect(earlier.time < later.time) }
  }
}

/// The receiver's end of a line.
private final class Line {
  /// The bytes that 115,200 baud transmit between two turns.
  private static let piece = 115
  private static let turn: Duration = .milliseconds(10)

  private let terminal: PseudoTerminal
  var path: String { terminal.path }

  init() throws { terminal = try PseudoTerminal() }

  /// Plays the epochs at the times of their RMC, and stops the host one second after the last one. The recording has a gap of 40 s.
  func play(_ epochs: ArraySlice<[UInt8]>, on host: EmbeddedHost) {
    let clock = ContinuousClock()
    let start = clock.now
    let times = epochs.map { Self.secondOfDay($0) }
    func begin(_ index: Int) {
      guard index < epochs.endIndex else { return host.stop() }
      let next = index - epochs.startIndex + 1
      // The last one is followed by a second of silence.
      let due = next < times.count ? times[next] - times[0] : times[next - 1] - times[0] + 1
      send(epochs[index][...], due: start + .seconds(due)) { begin(index + 1) }
    }
    func send(_ rest: ArraySlice<UInt8>, due: ContinuousClock.Instant, then next: @escaping () -> Void) {
      if rest.isEmpty {
        host.setTimer(after: max(.zero, due - clock.now), next)
        return
      }
      // After a stall of the machine, what is late waits here: a pseudo-terminal holds 4 kB, the driver of a real line 64 kB.
      let sent =
        switch terminal.write(Array(rest.prefix(Self.piece))) {
        case .written(let count): count
        case .wouldBlock: 0
        case .failed: rest.count
        }
      host.setTimer(after: Self.turn) { send(rest.dropFirst(sent), due: due, then: next) }
    }
    host.setTimer(after: .milliseconds(200)) { begin(epochs.startIndex) }
  }

  /// The second of the day in an epoch that begins with `$GNRMC,hhmmss`.
  private static func secondOfDay(_ epoch: [UInt8]) -> Int {
    let digits = epoch.dropFirst("$GNRMC,".utf8.count).prefix(6).map { Int($0) - Int(UInt8(ascii: "0")) }
    return (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60 + digits[4] * 10 + digits[5]
  }
}
