import FoundationEssentials
import Geodesy
import LocationIPC
import LocationdClient

/// Shows the satellites line by line or as a plot, until a limit, the end of the source, a closed pipe or a signal.
final class SkyRun {
  /// The output form of the satellites.
  enum Output: Hashable {
    case lines(SkyFormat)
    case picture
  }

  /// The output form and the end conditions.
  struct Plan {
    var output: Output
    /// End after this many epochs, of all receivers together.
    var count: Int?
    /// End after this long.
    var duration: Duration?
    var waitsForSource: Bool
    /// The source is a recording, so its end is no failure.
    var isRecorded: Bool
  }

  private let host: any ServiceAccess
  private let plan: Plan
  private let progress: ProgressDisplay
  private var display: SkyDisplay?
  private let request = RequestID(1)
  private var status: CommandStatus?
  private var hasSaidToWait = false
  private var delivered = 0

  init(host: any ServiceAccess, plan: Plan) {
    self.host = host
    self.plan = plan
    self.progress = ProgressDisplay(host: host)
  }

  func execute() -> CommandStatus {
    host.onEvent = { [weak self] in self?.receive($0) }
    host.onSignal = { [weak self] in self?.end(CommandStatus(signal: $0)) }
    host.onOutputClosed { [weak self] in self?.end(.done) }
    if plan.output == .picture {
      display = SkyDisplay(host: host, environment: ProcessInfo.processInfo.environment) { [weak self] in
        self?.end($0)
      }
    }
    if let duration = plan.duration {
      host.setTimer(after: duration) { [weak self] in self?.endOfDuration() }
    }
    progress.start()
    host.send(.watchSky(request, waitsForSource: plan.waitsForSource))
    progress.watchAuthorization()
    // The host holds only a weak reference to this run.
    if let failure = withExtendedLifetime(self, { host.serve() }) { return status ?? failure }
    if status == nil { fail("The location service ended without an answer: try again.", .protocolError) }
    return status ?? .protocolError
  }

  private func receive(_ event: ServiceEvent) {
    guard status == nil else { return }
    progress.hear(event)
    switch event {
    case .sky(request, let report) where report.device != host.device ?? report.device: break
    case .sky(request, let report):
      progress.end()
      show(report)
      delivered += 1
      if let count = plan.count, delivered >= count { end(.done) }
    case .failed(request, .sourceEnded) where plan.isRecorded && delivered > 0: end(.done)
    case .failed(request, let failure):
      let sentence = FailureMessage(failure)
      fail(sentence.text, sentence.status)
    case .progress(request, .waitingForPort(let path)) where !hasSaidToWait && delivered == 0:
      hasSaidToWait = true
      Diagnostics.print(FailureMessage.waiting(for: path))
    case .progress(request, let state): progress.show(state)
    // Events that this run did not request.
    case .located, .failed, .progress, .update, .streamChanged, .sky, .devices, .done, .status, .log, .heard,
      .authorization, .wifi, .monitoring:
      break
    }
  }

  private func show(_ report: SkyReport) {
    switch plan.output {
    case .lines(.json): write(SkyJSON.line(report))
    case .lines(.text): write(SkyTable.block(report))
    case .picture: display?.show(report)
    }
  }

  private func write(_ line: [UInt8]) {
    if let failure = Results.write(line) { end(failure) }
  }

  private func endOfDuration() {
    guard delivered == 0 else { return end(.done) }
    fail("No receiver listed its satellites in that time: see why with 'locationctl doctor'.", .locationUnknown)
  }

  private func fail(_ sentence: String, _ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    Diagnostics.print(sentence)
    end(status)
  }

  private func end(_ status: CommandStatus) {
    guard self.status == nil else { return }
    progress.end()
    self.status = status
    host.stop()
  }
}
