import Geodesy
import LocationIPC
import LocationPolicy

/// Lists the devices.
///
/// Listens for a moment to receivers that are still unknown, without changing their configuration. The service stores
/// what it learns about them, for the next time.
final class DeviceListing: CommandHandler {
  private static let listening = RequestID(2)
  /// The timeout, in addition to the listening time. Ports are listed, not probed at every baud rate, so an answer
  /// takes seconds.
  private static let timeout: Duration = .seconds(30)
  /// The polling interval of the device list while listening.
  private static let interval: Duration = .milliseconds(250)
  /// A u-blox receiver reports its identity within two epochs after its protocol was recognized; other receivers never
  /// do.
  private static let timeToName: Duration = .seconds(2)

  let session: CommandSession
  private let listeningTime: Duration
  private let asJSON: Bool
  private var isListening = false
  private var isTimeUp = false
  private var recognizedAt: Instant?

  init(_ session: CommandSession, listening: Duration, asJSON: Bool) {
    (self.session, listeningTime, self.asJSON) = (session, listening, asJSON)
  }

  func start() {
    session.setTimer(after: Self.timeout + listeningTime) { [unowned self] in
      session.fail(.noReply(remedy: "try again"))
    }
    session.send(.devices, for: self)
  }

  func receive(_ devices: [DeviceDescription], to request: RequestID) {
    guard !isWaiting(for: devices) else { return }
    session.finish(show(devices.filter { $0.path == session.device ?? $0.path }))
  }

  /// Whether to delay the answer because a receiver may still report what it is.
  private func isWaiting(for devices: [DeviceDescription]) -> Bool {
    let unknown = devices.filter(Self.mayBeRecognized)
    guard !isTimeUp, listeningTime > .zero, isListening || !unknown.isEmpty else { return false }
    if !isListening {
      isListening = true
      // Of the events while listening, only the device list matters.
      session.send(.updates(UpdateOptions(setsReceivers: false)), as: Self.listening)
      session.setTimer(after: listeningTime) { [unowned self] in isTimeUp = true }
    }
    if unknown.isEmpty {
      // All protocols are recognized; wait a moment longer for the names.
      let since = recognizedAt ?? session.now
      recognizedAt = since
      let isNamed = devices.allSatisfy { $0.kind == .adapter || $0.chip != nil }
      guard !isNamed, session.now - since < Self.timeToName else { return false }
    }
    session.setTimer(after: Self.interval) { [unowned self] in session.send(.devices, for: self) }
    return true
  }

  private static func mayBeRecognized(_ device: DeviceDescription) -> Bool {
    guard device.kind != .adapter, device.protocolName == nil else { return false }
    switch device.state {
    case .closed, .opening, .hunting, .identified, .fixing: return true
    case .silent, .busy, .denied, .untrusted, .open: return false
    }
  }

  /// Prints the list. An empty list is an answer, too: status 0, with a message on stderr.
  private func show(_ devices: [DeviceDescription]) -> CommandStatus {
    guard !devices.isEmpty else {
      Diagnostics.print("There is no receiver and no serial adapter: plug one in.")
      return .done
    }
    return Results.write(asJSON ? DeviceTable.jsonLines(devices) : DeviceTable.table(devices)) ?? .done
  }
}
