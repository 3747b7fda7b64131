import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient
import LocationdHost
import Regions

/// Finds the present position, as the center of a region.
final class HereSearch {
  private let host: any ServiceAccess
  private let progress: ProgressDisplay
  private let request = RequestID(1)
  private var fix: PositionFix?
  private var status: CommandStatus?

  private init(_ host: any ServiceAccess) {
    self.host = host
    progress = ProgressDisplay(host: host)
  }

  /// The present position, accurate enough for a region of that radius; `nil` on failure, with the exit status in `status`.
  static func find(
    radius: Meters, purpose: String?, status: inout CommandStatus
  ) -> Coordinate? {
    var found: PositionFix?
    status = RegionCommand.Add.withService(.automatic, purpose: purpose) { host in
      guard host is RemoteHost else { return Diagnostics.end(FailureSentence(.monitoring(.needsDaemon))) }
      let search = HereSearch(host)
      let status = search.execute()
      found = search.fix
      return status
    }
    guard status == .done, let found else { return nil }
    let error = Int(found.horizontalRadius68.value.rounded(.up))
    if found.suspicion != nil {
      status = Diagnostics.end(
        FailureSentence("The receiver's position is suspect: see why with 'locationctl doctor'.", .locationUnknown))
    } else if found.horizontalRadius68 > radius {
      status = Diagnostics.end(
        FailureSentence(
          "The position is accurate to ± \(error) m only, which is more than the radius of the region: give the receiver a free view "
            + "of the sky and try again, or give a larger --radius.", .locationUnknown))
    } else {
      Diagnostics.say("This machine is at \(EventWords.place(found.coordinate, found.horizontalRadius68)).")
      return found.coordinate
    }
    return nil
  }

  private func execute() -> CommandStatus {
    let options = OneShotOptions()
    host.onEvent = { [weak self] in self?.receive($0) }
    defer { host.onEvent = nil }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.setTimer(after: options.timeout + .seconds(10)) { [weak self] in self?.host.stop() }
    progress.start()
    host.send(.locate(request, options))
    progress.watchAuthorization()
    // The host holds only a weak reference to this search.
    let failure = withExtendedLifetime(self) { host.serve() }
    progress.end()
    if let status = status ?? failure { return status }
    Diagnostics.say("The location service did not answer: try again.")
    return .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    progress.hear(event)
    switch event {
    case .located(request, let fix, _, _):
      self.fix = fix
      end(.done)
    case .failed(request, let failure):
      progress.end()
      end(Diagnostics.end(FailureSentence(failure)))
    case .progress(request, let state): progress.show(state)
    // Events that this search did not request.
    case .located, .failed, .progress, .update, .streamChanged, .sky, .devices, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    self.status = status
    host.stop()
  }
}
