import Diagnosis
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy

/// Measures the time from a request to the first fix. If a person can be asked to unplug the receiver and to plug it in
/// again, also measures the time until there are fixes again.
final class StartWatch: CommandHandler {
  enum Reply {
    case update(FixEvent)
    case devices([DeviceDescription])
  }

  private enum Stage {
    case first
    case unplug(DeviceDescription)
    case plugIn(DeviceDescription)
    case fixAgain(since: Instant)
  }

  /// Maximum time in which a person unplugs a receiver, or plugs it in.
  private static let patience = Duration.seconds(60)
  private static let pollInterval = Duration.milliseconds(500)
  private static let firstPoll: UInt32 = 10

  let session: CommandSession
  private(set) var result: SelfTest.Start
  private(set) var replug = SelfTest.Replug.notUnplugged
  private let timeout: Duration
  private let asksReplug: Bool
  private let progress: SelftestProgress
  private var stage = Stage.first
  private var stageCount = 0
  private var startedAt: Instant
  private var poll = StartWatch.firstPoll
  private var path: String?

  init(_ session: CommandSession, timeout: Duration, asksReplug: Bool, progress: SelftestProgress) {
    (self.session, self.timeout, self.asksReplug, self.progress) = (session, timeout, asksReplug, progress)
    startedAt = session.now
    result = .none(after: timeout)
  }

  func start() {
    startedAt = session.now
    setDeadline(timeout)
    var options = UpdateOptions(waitsForSource: asksReplug, isRaw: true)
    options.device = session.device
    session.send(ServiceRequest.updates(options).message(CommandSession.request), for: self) {
      ServiceRequest.updates(options).event($0)?.map { .update($0) }
    }
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .update(.fix(let fix, let age)): receive(fix, age: age)
    case .update(.change): break
    case .devices(let devices): receive(devices)
    }
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    if case .first = stage { result = .none(after: session.now - startedAt) }
    session.finish(.done)
  }

  private func receive(_ fix: PositionFix, age: Duration) {
    // The first fix from the service may be older than the request.
    guard age <= session.now - startedAt else { return }
    switch stage {
    case .first:
      result = .fix(after: session.now - startedAt)
      path = fix.device
      guard asksReplug else { return session.finish(.done) }
      // Request the list of devices until it contains this receiver: the receiver's ID is needed to recognize it after
      // it is plugged in again.
      setDeadline(Self.patience)
      askDevices()
    case .fixAgain(let since):
      guard age <= session.now - since else { return }
      replug = .back(fix: session.now - since)
      session.finish(.done)
    case .unplug, .plugIn: break
    }
  }

  // MARK: - Unplugging

  private func askDevices() {
    poll += 1
    let request = ServiceRequest<[DeviceDescription]>.devices
    session.send(request.message(RequestID(poll)), for: self) { request.event($0)?.map { .devices($0) } }
    session.setTimer(after: Self.pollInterval) { [unowned self] in askDevices() }
  }

  private func receive(_ devices: [DeviceDescription]) {
    switch stage {
    case .first:
      guard let device = devices.first(where: { $0.path == path }) else { return }
      enter(.unplug(device), asking: "Unplug the receiver now.", Self.patience)
    case .unplug(let device):
      guard !isPresent(device, in: devices) else { return }
      replug = .notBack
      enter(.plugIn(device), asking: "Plug the receiver in again.", Self.patience)
    case .plugIn(let device):
      guard isPresent(device, in: devices) else { return }
      replug = .back(fix: nil)
      enter(.fixAgain(since: session.now), asking: "The receiver is back: waiting for a fix.", timeout)
    case .fixAgain: break
    }
  }

  /// The same receiver may have another port.
  private func isPresent(_ device: DeviceDescription, in devices: [DeviceDescription]) -> Bool {
    devices.contains { $0.id == device.id && ($0.state.isReceiving || $0.state == .hunting) }
  }

  private func enter(_ stage: Stage, asking sentence: String, _ limit: Duration) {
    self.stage = stage
    progress.say(sentence)
    setDeadline(limit)
  }

  /// Ends the session after `limit`, unless the next stage has begun by then.
  private func setDeadline(_ limit: Duration) {
    stageCount += 1
    session.setTimer(after: limit) { [unowned self, stageCount] in
      if self.stageCount == stageCount { session.finish(.done) }
    }
  }
}
