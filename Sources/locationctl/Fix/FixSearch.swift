import Geodesy
import LocationIPC
import LocationPolicy
import LocationdClient
import TrackFormats

/// One request for one fix, from sending it to printing the result.
final class OneShotRun {
  private let host: any ServiceAccess
  private let options: OneShotOptions
  private let style: OutputStyle
  private let progress: ProgressDisplay
  private let request = RequestID(1)
  private var status: CommandStatus?

  init(host: any ServiceAccess, options: OneShotOptions, style: OutputStyle) {
    self.host = host
    var options = options
    options.device = host.device
    self.options = options
    self.style = style
    self.progress = ProgressDisplay(host: host)
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    // The service answers by its own deadline. If it does not, the user still gets an answer.
    host.setTimer(after: options.timeout + .seconds(10)) { [weak self] in self?.endWithoutAnswer() }
    progress.start()
    host.send(.locate(request, options))
    progress.watchAuthorization()
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    if status == nil { endWithoutAnswer() }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    progress.hear(event)
    switch event {
    case .located(request, let fix, let age, let isCached):
      progress.end()
      show(fix, age: age, isCached: isCached)
    case .failed(request, .cannotOpen(let path, .doesNotExist)) where options.waitsForSource:
      progress.end()
      end(Diagnostics.report(FailureMessage(neverAppeared: path)))
    case .failed(request, let failure):
      progress.end()
      end(Diagnostics.report(FailureMessage(failure)))
    case .progress(request, let state): progress.show(state)
    // Events that this run did not request.
    case .located, .failed, .progress, .update, .streamChanged, .sky, .devices, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private func show(_ fix: PositionFix, age: Duration, isCached: Bool) {
    var located = LocatedFix(fix, age: age, isCached: isCached)
    located.isYoungEnough = age <= options.maximumAge
    located.isAccuracyMet = options.desiredRadius68.map { fix.horizontalRadius68 <= $0 }
    // A client with reduced accuracy receives a wider radius than the one that fulfilled the request.
    if options.accuracyRule == .required, located.isAccuracyMet == false, !options.acceptsLastKnown {
      return end(Diagnostics.report(FailureMessage(.notAccurateEnough(path: "", best: fix.horizontalRadius68))))
    }
    end(Results.write(style.bytes(located)) ?? .done)
  }

  private func endWithoutAnswer() {
    guard status == nil else { return }
    progress.end()
    Diagnostics.print("The location service did not answer: try again.")
    end(.protocolError)
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    self.status = status
    host.stop()
  }
}
