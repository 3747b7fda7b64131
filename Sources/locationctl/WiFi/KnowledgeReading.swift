import LocationDaemon
import LocationIPC
import Positioning
import WireFormats

/// Reads what is known of access points, page by page.
final class KnowledgeReading {
  private let host: any ServiceAccess
  private var kinds: [WiFiKnowledge]
  private let body: ([KnownAccessPoint]) -> CommandStatus?
  private var status: CommandStatus?

  /// - Parameter body: takes a page; how the command ends where it cannot go on.
  init(
    host: any ServiceAccess, of kinds: [WiFiKnowledge], _ body: @escaping ([KnownAccessPoint]) -> CommandStatus?
  ) {
    self.host = host
    self.kinds = kinds
    self.body = body
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    ask(after: nil)
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    return status ?? .protocolError
  }

  private func ask(after last: BSSID?) {
    guard let kind = kinds.first else { return end(.done) }
    host.send(.wifi(Question.id, .read(kind, after: last)))
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .wifi(Question.id, .places(let places, let isLast)):
      if let status = body(places) { return end(status) }
      if isLast || places.isEmpty { kinds.removeFirst() }
      ask(after: isLast ? nil : places.last?.place.bssid)
    case .failed(Question.id, let failure): end(Diagnostics.end(FailureSentence(failure)))
    case .located, .failed, .update, .streamChanged, .sky, .progress, .devices, .done, .status, .log, .heard,
      .authorization, .wifi:
      break
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
