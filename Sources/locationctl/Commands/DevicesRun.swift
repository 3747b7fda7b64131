import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient

/// One request about devices, from sending it to printing the result.
///
/// Listens for a moment to receivers that are still unknown, without changing their configuration; the result is stored for the
/// next time.
final class DevicesRun {
  private static let listening = RequestID(2)
  /// The timeout. Ports are listed, not probed at every baud rate, so an answer takes seconds.
  private static let patience: Duration = .seconds(30)
  /// The polling interval of the device list while listening.
  private static let interval: Duration = .milliseconds(250)
  /// A u-blox receiver reports its identity within two epochs after its protocol was recognized; another receiver never does.
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
      // Of the events while listening, only the device list matters.
      guard case .devices(Question.id, let devices) = event, !isWaiting(for: devices) else { return nil }
      return show(devices.filter { [host] device in host.device.map { device.path == $0 } ?? true })
    }
  }

  // MARK: - Listening

  /// Whether to delay the answer because a receiver may still report what it is.
  private func isWaiting(for devices: [DeviceDescription]) -> Bool {
    let unknown = devices.filter(Self.mayTell)
    guard !isTimeUp, listeningTime > .zero, isListening || !unknown.isEmpty else { return false }
    if !isListening {
      isListening = true
      host.send(.startUpdates(Self.listening, UpdateOptions(setsReceivers: false)))
      host.setTimer(after: listeningTime) { [weak self] in self?.isTimeUp = true }
    }
    if unknown.isEmpty {
      // Its protocol was recognized; wait a moment longer for its name.
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

  /// An empty list is an answer too: status 0, with a message on stderr.
  private func show(_ devices: [DeviceDescription]) -> CommandStatus {
    guard !devices.isEmpty else {
      Diagnostics.say("There is no receiver and no serial adapter: plug one in.")
      return .done
    }
    return Results.write(Results.areForPeople ? DeviceTable.table(devices) : DeviceTable.jsonLines(devices)) ?? .done
  }
}
