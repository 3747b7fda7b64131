import LocationIPC
import LocationPolicy
import LocationReplay
import WireFormats

/// The sentences of the receivers, until a limit, the end of the source, a closed pipe or a signal.
final class ReceiverSentences: CommandHandler {
  private static let stream = RequestID(1)
  private static let check = RequestID(2)
  /// If this many UBX frames and no sentence have arrived, from all receivers together, they send UBX only.
  private static let enoughFrames = 20
  /// Maximum number of sources; no machine has more receivers.
  private static let mostSources = 64

  let session: CommandSession
  private let receivers: ReceiverOutput
  private let plan: SentencePlan
  private let output: SentenceOutput
  private var decoders: [Int: WireDecoder] = [:]
  private var otherFrames = 0

  init(_ session: CommandSession, of receivers: ReceiverOutput, _ plan: SentencePlan, _ output: SentenceOutput) {
    (self.session, self.receivers, self.plan, self.output) = (session, receivers, plan, output)
  }

  func start() {
    receivers.follow { [unowned self] in receive($0) }
    session.endWhenOutputCloses()
    if let duration = plan.duration { session.setTimer(after: duration) { [unowned self] in endOfDuration() } }
    session.showProgress()
    // The receiver keeps its settings. The first stream keeps the receiver open in any case; the second reports why no
    // receiver sends anything.
    session.send(.updates(UpdateOptions(waitsForSource: true, setsReceivers: false)), as: Self.stream, for: self)
    session.send(.updates(UpdateOptions(setsReceivers: false)), as: Self.check, for: self)
  }

  func receive(_ event: FixEvent, to request: RequestID) {}

  func receive(_ failure: LocationFailure, of request: RequestID) {
    if plan.isRecorded {
      if case .sourceEnded = failure {
        session.finish(.done)
      } else {
        session.fail(FailureMessage(ofReceivers: failure))
      }
    } else if request == Self.check, output.written == 0 {
      // Sentences do not depend on a fix. The receivers' own output requires "always" permission.
      if !failure.isAboutFix { session.fail(FailureMessage(ofReceivers: failure, needsAlways: true)) }
    }
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    if request == Self.stream, output.written == 0 { session.show(progress, namesHolder: true) }
  }

  private func receive(_ record: CaptureRecord) {
    guard !session.isOver else { return }
    switch record.event {
    case .bytes(let bytes):
      var sentences: [[UInt8]] = []
      decoders[record.source, default: WireDecoder()].pushFrames(bytes.span) { bytes, frame, _ in
        if case .sentence(let start, let end) = frame {
          // From the dollar sign to the checksum.
          sentences.append((start - 1..<end + 3).map { bytes[$0] } + [0x0D, 0x0A])
        } else {
          otherFrames += 1
        }
      }
      write(sentences)
    // The following bytes do not continue the previous ones.
    case .device, .gone:
      if decoders.count >= Self.mostSources { decoders = [:] }
      decoders[record.source] = nil
    case .speed: decoders[record.source]?.reset()
    case .start, .scan: break
    }
  }

  private func write(_ sentences: [[UInt8]]) {
    if !sentences.isEmpty { session.endProgress() }
    for sentence in sentences where !session.isOver {
      if let status = output.write(sentence) { session.finish(status) }
    }
    guard output.written == 0, otherFrames >= Self.enoughFrames else { return }
    session.fail(
      FailureMessage(
        "The receiver sends UBX and no NMEA sentences: use --fused, which makes sentences from the position.",
        .noSource))
  }

  private func endOfDuration() {
    guard output.written == 0 else { return session.finish(.done) }
    session.fail(
      FailureMessage(
        "No receiver sent a sentence before --duration ended: see why with 'locationctl doctor'.", .locationUnknown))
  }
}

extension LocationFailure {
  /// Whether a failure concerns only the position that a request for fixes needs: a receiver is present and sends data.
  fileprivate var isAboutFix: Bool {
    switch self {
    case .noSatellites, .noFixYet, .notAccurateEnough, .noUsableFix: true
    default: false
    }
  }
}
