import LocationDaemon
import LocationIPC
import Positioning

/// Hands places over to the service, some at a time, as fast as it takes them.
final class WiFiImportRun {
  private let host: any ServiceAccess
  private var paths: ArraySlice<String>
  private var file: PlaceFile?
  private var waiting: ArraySlice<AccessPointPlace> = []
  private var sent = 0
  private let isShown = isTerminal(2)
  private var status: CommandStatus?

  init(host: any ServiceAccess, files: [String]) {
    self.host = host
    paths = files[...]
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    goOn()
    if status == nil, let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    switch event {
    case .done(Question.id): goOn()
    case .failed(Question.id, let failure): end(Diagnostics.end(FailureSentence(failure)))
    case .located, .failed, .update, .streamChanged, .sky, .progress, .devices, .done, .status, .log, .heard,
      .authorization, .wifi:
      break
    }
  }

  /// Sends the next places, or ends.
  private func goOn() {
    if isShown { StandardError.write(Array("\r\(sent) access points\u{1B}[K".utf8)) }
    do throws(FailureSentence) {
      while waiting.count < MessageLimits.placesAdded, let more = try next() { waiting += more }
    } catch {
      clear()
      // What came before is kept.
      return end(Diagnostics.end(error))
    }
    guard !waiting.isEmpty else { return finish() }
    let part = Array(waiting.prefix(MessageLimits.placesAdded))
    waiting = waiting.dropFirst(part.count)
    sent += part.count
    host.send(.wifi(Question.id, .add(part)))
  }

  /// Some more places, perhaps none; `nil` at the end of the last file.
  private func next() throws(FailureSentence) -> [AccessPointPlace]? {
    if let file {
      if let places = try file.next() { return places }
      if let remark = file.remark { Diagnostics.say(remark) }
      self.file = nil
    }
    guard let path = paths.popFirst() else { return nil }
    file = try PlaceFile(path)
    return []
  }

  private func finish() {
    clear()
    Diagnostics.say("\(sent) access points imported.")
    end(.done)
  }

  private func clear() { if isShown { StandardError.write(Array("\r\u{1B}[K".utf8)) } }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
