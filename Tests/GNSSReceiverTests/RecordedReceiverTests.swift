import GNSSReceiver
import Geodesy
import TestSupport
import Testing

/// A real receiver with its truth, through a session in virtual time.
@Suite(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)"))
struct RecordedReceiverTests {
  private let drive: RecordedDrive

  init() throws { drive = try RecordedDrive() }

  /// The log in chunks of `chunk` bytes, with one epoch per second.
  private func epochs(chunk: Int) -> [GNSSEpoch] {
    var settings = ReceiverSettings(device: "log")
    settings.hasLineSpeed = false
    settings.mayPoll = false
    var session = ReceiverSession(settings)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var epochs: [GNSSEpoch] = []
    func keep(_ actions: [ReceiverSession.Action]) {
      for case .epoch(let epoch) in actions { epochs.append(epoch) }
    }
    keep(session.handle(.opened(baud: nil), at: now))
    for burst in drive.epochs {
      for start in stride(from: 0, to: burst.count, by: chunk) {
        keep(session.receive(burst[start..<min(start + chunk, burst.count)].span, at: now))
        now = now + .microseconds(100)
      }
      // The silence before the next burst is one second minus the duration of the burst.
      if let deadline = session.nextDeadline, deadline <= now + .milliseconds(900) {
        keep(session.handle(.wake, at: max(deadline, now)))
      }
      now = now + .milliseconds(900)
    }
    return epochs
  }

  @Test func everyFixIsWithinTwoMetersOfTheTruth() throws {
    var compared = 0
    for epoch in epochs(chunk: 512) where epoch.stage == .complete {
      let fix = try #require(epoch.fix)
      #expect(fix.qualityFlag == nil)
      guard let error = drive.error(of: fix) else { continue }
      compared += 1
      #expect(error < Meters(2), "\(fix.time)")
    }
    // 1,627 epochs have a GGA; the GGA of one more epoch is damaged, and its RMC is not.
    #expect(compared == 1628)
  }

  @Test func epochsDoNotDependOnHowBytesAreCut() {
    let whole = epochs(chunk: 4096).filter { $0.stage == .complete }
    for chunk in [64, 1000] {
      let cut = epochs(chunk: chunk).filter { $0.stage == .complete }
      #expect(cut.count == whole.count)
      for (a, b) in zip(whole, cut) {
        #expect(a.fix?.time == b.fix?.time)
        #expect(a.fix?.coordinate == b.fix?.coordinate)
        #expect(a.fix?.horizontalRadius68 == b.fix?.horizontalRadius68)
        #expect(a.sky == b.sky)
      }
    }
  }

  @Test func promptFixesComeOnceAnEpochAndBeforeTheCompleteOne() {
    let all = epochs(chunk: 512)
    var prompts = 0
    for (first, second) in zip(all, all.dropFirst()) where first.stage == .prompt {
      #expect(second.stage == .complete)
      #expect(first.fix?.time == second.fix?.time)
      prompts += 1
    }
    #expect(prompts > 1600)
  }
}
