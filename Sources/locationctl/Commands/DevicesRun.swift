import Geodesy
import LocationIPC
import LocationdClient

/// One question about devices, from sending it to writing its answer.
///
/// Receivers of which nothing is known yet are listened to for a moment, as a guest who sets nothing: what they are is
/// remembered for the next time.
final class DevicesRun {
  private static let listening = RequestID(2)
  /// Ports are looked at, not hunted through, so an answer is a matter of seconds.
  private static let patience: Duration = .seconds(30)
  /// While it listens, what is known is looked at so often.
  private static let interval: Duration = .milliseconds(250)
  /// A u-blox tells who it is within two epochs of being understood; another never does.
  private static let timeToName: Duration = .seconds(2)

  private let host: any ServiceAccess
  private let question: Question
  private let request: ClientRequest
  private let listeningTime: Duration
  private var isListening = false
  private var isTimeUp = false
  private var understoodAt: Instant?

  init(host: any ServiceAccess, request: ClientRequest, listening: Duration = .zero) {
    self.host = host
    self.request = request
    listeningTime = listening
    question = Question(host: host, patience: Self.patience + listening)
  }

  func execute() -> CommandStatus {
    question.ask(request) { [self] event in
      // Of what is listened to only the list is of interest.
      guard case .devices(Question.id, let devices) = event, !isWaiting(for: devices) else { return nil }
      return show(devices.filter { [host] device in host.device.map { device.path == $0 } ?? true })
    }
  }

  // MARK: - Listening

  /// Whether the answer is put off, as there is a receiver that may yet say what it is.
  private func isWaiting(for devices: [DeviceDescription]) -> Bool {
    let unknown = devices.filter(Self.mayTell)
    guard !isTimeUp, listeningTime > .zero, isListening || !unknown.isEmpty else { return false }
    if !isListening {
      isListening = true
      host.send(.startUpdates(Self.listening, UpdateOptions(setsReceivers: false)))
      host.setTimer(after: listeningTime) { [weak self] in self?.isTimeUp = true }
    }
    if unknown.isEmpty {
      // Heard; a moment more for its name.
      let now = host.now
      let since = understoodAt ?? now
      understoodAt = since
      let isNamed = devices.allSatisfy { $0.kind == .adapter || $0.chip != nil }
      guard !isNamed, now - since < Self.timeToName else { return false }
    }
    host.setTimer(after: Self.interval) { [weak self] in
      guard let self, !question.isOver else { return }
      host.send(request)
    }
    return true
  }

  private static func mayTell(_ device: DeviceDescription) -> Bool {
    guard device.kind != .adapter, device.protocolName == nil else { return false }
    switch device.state {
    case .closed, .opening, .hunting, .identified, .fixing: return true
    case .silent, .busy, .denied, .untrusted, .open: return false
    }
  }

  /// That there is none is an answer too: status 0, with a word on stderr.
  private func show(_ devices: [DeviceDescription]) -> CommandStatus {
    guard !devices.isEmpty else {
      Diagnostics.say("There is no receiver and no serial adapter: plug one in.")
      return .done
    }
    return Results.write(Results.areForPeople ? DeviceTable.table(devices) : DeviceTable.jsonLines(devices)) ?? .done
  }
}
