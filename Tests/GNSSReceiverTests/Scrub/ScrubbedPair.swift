import GNSSReceiver
import Geodesy
import LocationReplay
import TestSupport

/// The output of a receiver and its scrubbed copy, each received by a separate session.
struct ScrubbedPair {
  let original: Heard
  let scrubbed: Heard

  /// What a session produced from the bytes.
  struct Heard {
    var bytes: [UInt8] = []
    var epochs: [GNSSEpoch] = []
    var states: [LinkState] = []

    var fixes: [PositionFix] { epochs.filter { $0.stage == .complete }.compactMap(\.fix) }
  }

  /// Bytes with their arrival times since power-on, in milliseconds.
  typealias Piece = (milliseconds: Int64, bytes: [UInt8])

  init(_ pieces: [Piece], seed: UInt64, keepsSky: Bool = false) {
    var options = ScrubOptions()
    options.keepsSky = keepsSky
    var generator = SplitMix64(seed: seed)
    var scrubber = CaptureScrubber(Anonymization(options, using: &generator))
    var records: [CaptureRecord] = []
    for piece in pieces {
      records += scrubber.push(
        CaptureRecord(arrival: .milliseconds(piece.milliseconds), source: 1, event: .bytes(piece.bytes)))
    }
    records += scrubber.finish()
    original = Self.receive(pieces)
    scrubbed = Self.receive(
      records.compactMap { record in
        guard case .bytes(let bytes) = record.event else { return nil }
        return (record.arrival.wholeNanoseconds / 1_000_000, bytes)
      })
  }

  /// A simulated receiver, for this duration.
  init(_ configuration: SimulatedReceiver.Configuration, for duration: Duration, seed: UInt64, keepsSky: Bool = false) {
    var receiver = SimulatedReceiver(configuration)
    let start = Instant(nanoseconds: 1_000_000_000)
    var pieces: [Piece] = []
    func receive(_ actions: [SimulatedReceiver.Action], at now: Instant) {
      for case .send(let bytes) in actions { pieces.append(((now - start).wholeNanoseconds / 1_000_000, bytes)) }
    }
    receive(receiver.handle(.powered, at: start), at: start)
    while let deadline = receiver.nextDeadline, deadline <= start + duration {
      receive(receiver.handle(.wake, at: deadline), at: deadline)
    }
    self.init(pieces, seed: seed, keepsSky: keepsSky)
  }

  private static func receive(_ pieces: [Piece]) -> Heard {
    var received = Heard()
    var session = ReceiverSession(SessionBench.settings())
    let start = Instant(nanoseconds: 1_000_000_000)
    func receive(_ actions: [ReceiverSession.Action]) {
      for action in actions {
        switch action {
        case .epoch(let epoch): received.epochs.append(epoch)
        case .stateChanged(let state): received.states.append(state)
        case .setSpeed, .write, .identified, .recall, .storeAssistance, .recallSettings, .persistRestore, .released,
          .speedFound,
          .nothingReceived, .leapSeconds, .nextPulse, .reopen:
          break
        }
      }
    }
    receive(session.handle(.opened(baud: nil), at: start))
    for piece in pieces {
      let now = start + .milliseconds(piece.milliseconds)
      while let deadline = session.nextDeadline, deadline < now { receive(session.handle(.wake, at: deadline)) }
      received.bytes += piece.bytes
      receive(session.receive(piece.bytes.span, at: now))
    }
    if let deadline = session.nextDeadline { receive(session.handle(.wake, at: deadline)) }
    return received
  }
}
