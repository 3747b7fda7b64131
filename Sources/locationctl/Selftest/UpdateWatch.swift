import Diagnosis
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService

/// Measures the updates for some minutes, and the load of the machine during that time.
final class UpdateWatch: CommandHandler {
  /// Minimum and maximum interval between two samples of the load.
  private static let sampling = (shortest: Duration.seconds(1), longest: Duration.seconds(10))
  private static let patience = Duration.seconds(2)
  private static let list = RequestID(2)

  let session: CommandSession
  private(set) var series = FixSeries()
  private(set) var load = SystemLoad()
  private(set) var devices: [DeviceDescription] = []
  private let duration: Duration
  private let process: Int32
  private let progress: SelftestProgress
  private var startedAt: Instant
  private var lastFixAt: Instant?

  init(_ session: CommandSession, duration: Duration, process: Int32, progress: SelftestProgress) {
    (self.session, self.duration, self.process, self.progress) = (session, duration, process, progress)
    startedAt = session.now
  }

  func start() {
    startedAt = session.now
    session.setTimer(after: duration) { [unowned self] in listDevices() }
    sample()
    var options = UpdateOptions(waitsForSource: true, isRaw: true)
    options.device = session.device
    let request = ServiceRequest.updates(options)
    session.send(request.message(CommandSession.request), for: self) { request.event($0)?.map { .update($0) } }
  }

  func receive(_ reply: StartWatch.Reply, to request: RequestID) {
    switch reply {
    case .update(.fix(let fix, let age)):
      guard age <= session.now - startedAt else { return }
      series.add(fix)
      lastFixAt = session.now
      progress.note = "\(series.count) fixes"
    case .update(.change(.lost)): series.lost()
    case .update(.change): break
    case .devices(let devices):
      self.devices = devices
      session.finish(.done)
    }
  }

  /// The series ends early. If the updates have failed, the position counts as lost.
  func receive(_ failure: LocationFailure, of request: RequestID) {
    if request == CommandSession.request { series.lost() }
    session.finish(.done)
  }

  private func sample() {
    load.add(MachineSurvey.load(of: process), after: session.now - startedAt)
    let interval = min(max(duration / 20, Self.sampling.shortest), Self.sampling.longest)
    session.setTimer(after: interval) { [unowned self] in sample() }
  }

  /// Ends the measurement, and requests the receiver's name and firmware while its port is still open.
  private func listDevices() {
    load.add(MachineSurvey.load(of: process), after: session.now - startedAt)
    // Fixes arrive with a latency of some tenths of a second.
    if let lastFixAt {
      let sinceFix: Duration = session.now - lastFixAt
      series.end(silentFor: max(.zero, sinceFix - .milliseconds(500)))
    }
    session.setTimer(after: Self.patience) { [unowned self] in session.finish(.done) }
    let request = ServiceRequest<[DeviceDescription]>.devices
    session.send(request.message(Self.list), for: self) { request.event($0)?.map { .devices($0) } }
  }
}
