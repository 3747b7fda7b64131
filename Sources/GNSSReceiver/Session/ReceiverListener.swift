import Geodesy
import WireFormats

/// Processes a receiver's messages: assembles epochs, learns its identity, and polls for data that it does not send by
/// itself.
struct ReceiverListener: Sendable {
  private var assembler: EpochAssembler
  private var rhythm: ArrivalTiming
  private var builder: FixBuilder
  private var polling: ReceiverPolling
  private var listEnd = SatelliteListEnd()
  private var datums = DatumReferences()
  private var undated: UndatedEpochs
  private var identity = ReceiverIdentity() {
    didSet { hasNewIdentity = true }
  }
  /// Whether `identity` was written since it was last compared with `reportedIdentity`, which costs more than this flag.
  private var hasNewIdentity = false
  private var reportedIdentity = ReceiverIdentity()
  /// The result of the previous epoch; the polls that follow from it are sent after the first message of the next epoch.
  private var question: ReceiverPolling.AccuracyReporting?
  private var controller: UbloxController
  /// The baud rate of the line, if it has one.
  var speed: Int?

  init(_ settings: ReceiverSettings, at now: Instant) {
    assembler = EpochAssembler(at: now)
    rhythm = ArrivalTiming(at: now)
    builder = FixBuilder(settings)
    polling = ReceiverPolling(
      mayPoll: settings.mayPoll, isUblox: settings.isUblox, isOwned: settings.requestedConfiguration != nil)
    controller = UbloxController(settings)
    undated = UndatedEpochs(waits: settings.waitsForDate)
  }

  /// When silence will have completed the current epoch, a write is due, or epochs held back for a date are released.
  mutating func deadline() -> Instant? {
    let end = rhythm.isResting ? nil : assembler.deadline()
    return Instant.earlier(Instant.earlier(end, controller.deadline), undated.deadline)
  }

  /// The time between epochs.
  var epochPeriod: Duration { assembler.epochPeriod }

  /// Bytes have arrived; returns how long the line was silent before. If `wake` was not called during a long silence, that
  /// silence ends the current epoch first.
  mutating func receivedBytes(_ count: Int, at now: Instant, _ actions: inout [ReceiverSession.Action]) -> Duration {
    rhythm.received(count, at: now)
    var outputs = Outputs()
    let silence = assembler.received(at: now) { outputs.append($0) }
    execute(outputs, at: now, &actions)
    return silence
  }

  /// Until when the next bytes may stay unread; `nil`: read them at once.
  mutating func rest(at now: Instant) -> Instant? { rhythm.rest(at: now) }

  mutating func receive(_ message: WireMessage, at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    polling.received(message)
    identify(message, at: now, &actions)
    if case .ubx(let frame) = message {
      care(at: now, &actions) { $0.received(frame, at: now) }
      switch frame {
      case .navTIMELS(let leap): actions.append(.leapSeconds(leap))
      case .timTP(let pulse): actions.append(.nextPulse(pulse))
      default: break
      }
    }
    if let occasion = question.take() {
      // An epoch has just begun: the answer follows the epoch's own messages.
      let polls = polling.polls(after: occasion, at: now)
      if !polls.isEmpty { actions.append(.write(polls)) }
    }
    if case .nmea(.dtm(let dtm), let talker) = message { datums.update(dtm, from: talker) }
    let role = EpochMessage(message).role
    gather(role, listEnd: role == nil ? nil : listEnd.signature(at: message), at: now, &actions) { [datums] draft in
      switch message {
      case .nmea(let sentence, let talker):
        draft.absorb(sentence, from: talker, in: datums.reference(of: sentence, from: talker))
      case .ubx(let frame): draft.absorb(frame)
      }
    }
  }

  /// Whether the receiver is asked for its leap seconds.
  var asksLeapSeconds: Bool {
    get { polling.asksLeapSeconds }
    set { polling.asksLeapSeconds = newValue }
  }

  /// Whether epochs are also sent before they are complete.
  var sendsPrompts: Bool {
    get { assembler.sendsPrompts }
    set { assembler.sendsPrompts = newValue }
  }

  /// Handles a report from gpsd about the receiver.
  mutating func receive(_ report: GPSDMessage, at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    gather(EpochMessage(report).role, listEnd: nil, at: now, &actions) { $0.absorb(report) }
  }

  /// Adds a message to its epoch. `listEnd`: the message's signature if it ends a list.
  private mutating func gather(
    _ role: EpochMessage.Role?, listEnd: CycleEnd.Signature?, at now: Instant,
    _ actions: inout [ReceiverSession.Action], absorb: (inout EpochDraft) -> Void
  ) {
    guard let role else {
      reportIdentity(at: now, &actions)
      return
    }
    let time: MessageTime?
    let signature: CycleEnd.Signature?
    let isEnd: Bool
    switch role {
    case .part(let partTime, let partSignature):
      (time, signature, isEnd) = (partTime, partSignature ?? listEnd, false)
    case .end(let endTime): (time, signature, isEnd) = (endTime, nil, true)
    }
    var outputs = Outputs()
    assembler.receive(time: time, signature: signature, isEnd: isEnd, at: now, absorb: absorb) { outputs.append($0) }
    reportIdentity(at: now, &actions)
    if outputs.completeEpoch { rhythm.epochCompleted(at: now) }
    execute(outputs, at: now, &actions)
  }

  mutating func wake(at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    if let due = controller.deadline, due <= now { care(at: now, &actions) { $0.wake(at: now) } }
    if let due = undated.deadline, due <= now { complete(undated.release(at: now), at: now, &actions) }
    // Bytes are left unread now, so there is no silence to detect.
    guard !rhythm.isResting else { return }
    var outputs = Outputs()
    assembler.wake(at: now) { outputs.append($0) }
    execute(outputs, at: now, &actions)
  }

  /// A message completes at most one epoch and begins at most one.
  private struct Outputs {
    var first: EpochAssembler.Output?
    var second: EpochAssembler.Output?

    mutating func append(_ output: EpochAssembler.Output) {
      if first == nil { first = output } else { second = output }
    }

    var completeEpoch: Bool { if case .complete? = first { true } else { false } }
  }

  private mutating func execute(_ outputs: Outputs, at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    if let first = outputs.first { execute(first, at: now, &actions) }
    if let second = outputs.second { execute(second, at: now, &actions) }
  }

  private mutating func execute(
    _ output: EpochAssembler.Output, at now: Instant, _ actions: inout [ReceiverSession.Action]
  ) {
    switch output {
    case .prompt(let draft):
      if let epoch = builder.prompt(draft, at: now) { actions.append(.epoch(epoch)) }
    case .complete(let draft):
      question = controller.addsAccuracy ? .isSet : ReceiverPolling.AccuracyReporting(after: draft)
      if undated.isWaiting {
        complete(undated.receive(draft, at: now), at: now, &actions)
      } else {
        complete(draft, at: now, &actions)
      }
    }
  }

  private mutating func complete(
    _ drafts: [EpochDraft], at now: Instant, _ actions: inout [ReceiverSession.Action]
  ) {
    for draft in drafts { complete(draft, at: now, &actions) }
  }

  private mutating func complete(_ draft: EpochDraft, at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    // A repeated epoch or a step back does not mean that the fix is lost.
    var hasFix = draft.hasFix
    if let epoch = builder.complete(draft, at: now) {
      hasFix = epoch.fix != nil
      actions.append(.epoch(epoch))
    }
    care(at: now, &actions) { $0.epochCompleted(hasFix: hasFix, at: now) }
  }

  /// The data has ended: completes the epochs that are held back.
  mutating func end(at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    complete(undated.release(at: now), at: now, &actions)
  }

  /// Sets whether a service owns the receiver from now on.
  mutating func setOwned(_ isOwned: Bool) { polling.isOwned = isOwned }

  /// The message that puts the receiver to sleep; `nil` if it cannot be sent.
  func sleepRequest(_ time: Duration?) -> [UInt8]? { controller.sleepRequest(time) }

  /// The settings that still have to be restored.
  var pendingRestore: SavedReceiverConfiguration? { controller.pendingRestore }

  /// Runs `body` on the controller and translates its actions.
  mutating func care(
    at now: Instant, _ actions: inout [ReceiverSession.Action],
    _ body: (inout UbloxController) -> [UbloxController.Action]
  ) {
    for action in body(&controller) {
      switch action {
      case .write(let bytes): actions.append(.write(bytes))
      case .recall(let key): actions.append(.recall(key))
      case .storeAssistance(let data): actions.append(.storeAssistance(data))
      case .recallSettings(let key): actions.append(.recallSettings(key))
      case .persistRestore(let key, let settings): actions.append(.persistRestore(key, settings))
      case .released(let count): actions.append(.released(notPutBack: count))
      }
    }
  }

  // MARK: - Identity

  private mutating func identify(
    _ message: WireMessage, at now: Instant, _ actions: inout [ReceiverSession.Action]
  ) {
    switch message {
    case .nmea(let sentence, _):
      if !identity.speaksNMEA { identity.speaksNMEA = true }
      if case .txt(let txt) = sentence {
        let text = txt.text.string
        // The first line after power-on: the receiver has lost its volatile settings.
        if text.hasPrefix("u-blox") { care(at: now, &actions) { $0.receiverRestarted(at: now) } }
        identify(text)
      }
      if case .pmtk(let pmtk) = sentence, pmtk.type == 705 { identity.firmware = pmtk.text.string }
    case .ubx(let frame):
      if !identity.speaksUBX { identity.speaksUBX = true }
      switch frame {
      case .monVERSoftware(let text): identity.firmware = text.string
      case .monVERHardware(let text): identity.model = identity.model ?? text.string
      case .monVERExtension(let text): identify(text.string)
      case .secUNIQID(let number):
        identity.uniqueID = number.string
        builder.learn(ownIdentity: "ublox-\(number.string)")
      case .navPVT, .navSOL, .navPOSECEF, .navPOSLLH, .navVELNED, .navTIMEUTC, .navSVINFO, .navSAT, .navSatellite,
        .navDOP,
        .navSTATUS,
        .navCOV, .navEOE, .navTIMELS, .navRELPOSNED, .timTP, .monRF, .acknowledgement, .configuration, .assistance,
        .assistanceAcknowledgement, .unknown:
        break
      }
    }
  }

  /// Extensions of MON-VER, and the same in the start-up texts: `PROTVER=18.00`, `FWVER=SPG 3.01`, `MOD=NEO-M8N-0`.
  private mutating func identify(_ text: String) {
    if text == "SIMULATED" { builder.isSimulated = true }
    guard let separator = text.firstIndex(where: { $0 == "=" || $0 == " " }) else { return }
    let value = text[text.index(after: separator)...]
    switch text[..<separator] {
    // "nan" is a number too, but lies in no range.
    case "PROTVER":
      identity.protocolVersionHundredths = Double(value).flatMap { (0..<1000).contains($0) ? Int($0 * 100 + 0.5) : nil }
    case "FWVER": identity.firmware = String(value)
    case "MOD": identity.model = String(value)
    default: break
    }
  }

  private mutating func reportIdentity(at now: Instant, _ actions: inout [ReceiverSession.Action]) {
    guard hasNewIdentity else { return }
    hasNewIdentity = false
    guard identity != reportedIdentity else { return }
    reportedIdentity = identity
    actions.append(.identified(identity))
    care(at: now, &actions) { [identity, speed] in $0.identified(identity, speed: speed, at: now) }
  }
}
