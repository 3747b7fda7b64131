import Geodesy
import LocationIPC
import LocationPolicy
import TrackFormats

/// One request for one fix, for any command that needs the position of this machine.
final class FixSearch: CommandHandler {
  /// The replies of the service to the two requests of this command.
  enum Reply {
    case located(LocateReply)
    case accessPoints(WiFiAccount)
  }

  /// The request for the number of known access points, after a position from Wi-Fi was impossible.
  private static let account = RequestID(2)

  let session: CommandSession
  private let options: OneShotOptions
  private let usesOnlyWiFi: Bool
  private let show: (LocatedFix) -> CommandStatus
  /// Since when this command waits for a receiver; `nil`: it does not.
  private var waitsSince: Instant?
  /// The failure that is reported when the number of known access points is known.
  private var failure: LocationFailure?

  /// - Parameters:
  ///   - usesOnlyWiFi: whether the source is Wi-Fi alone, so that receivers are not what is missing.
  ///   - show: processes the fix; returns the exit status.
  init(
    _ session: CommandSession, _ options: OneShotOptions, usesOnlyWiFi: Bool = false,
    _ show: @escaping (LocatedFix) -> CommandStatus
  ) {
    self.session = session
    var options = options
    options.device = session.device
    (self.options, self.usesOnlyWiFi) = (options, usesOnlyWiFi)
    self.show = show
  }

  func start() {
    // The service answers by its own deadline. If it does not, the user still gets an answer.
    session.setTimer(after: options.timeout + .seconds(10)) { [unowned self] in
      session.fail(.noReply(remedy: "try again"))
    }
    if options.timeout > .zero { session.showProgress() }
    session.send(ServiceRequest.locate(options).map { Reply.located($0) }, for: self)
  }

  func receive(_ reply: Reply, to request: RequestID) {
    switch reply {
    case .located(let located):
      endOfWait()
      session.endProgress()
      session.finish(show(LocatedFix(located.fix, age: located.age, isCached: located.isCached)))
    case .accessPoints(let account): session.fail(FailureMessage(unknownAccessPoints: failure, beside: account))
    }
  }

  func receive(_ progress: LocationProgress, of request: RequestID) {
    if options.waitsForSource, progress == .waitingForSource {
      beginOfWait()
    } else {
      endOfWait()
    }
    session.show(progress, namesHolder: options.waitsForSource, watchesSky: true)
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    guard request != Self.account else { return session.fail(FailureMessage(self.failure ?? failure)) }
    if options.timeout == .zero, case .notAuthorized = failure {
      session.fail(FailureMessage(failure))
    } else if options.timeout == .zero {
      session.fail(FailureMessage("No fix is known yet: get one with 'locationctl fix'.", .locationUnknown))
    } else if options.waitsForSource, case .cannotOpen(let path, .doesNotExist) = failure {
      session.fail(FailureMessage(neverAppeared: path))
    } else if options.waitsForSource, failure == .noSource, !usesOnlyWiFi {
      session.fail(.noReceiverAppeared)
    } else if let unknown = Self.isAboutAccessPoints(failure, usesOnlyWiFi) {
      // An empty list needs another remedy than one that lacks this place.
      self.failure = unknown
      session.send(ServiceRequest.wifiAccount.map { Reply.accessPoints($0) }, as: Self.account, for: self)
    } else {
      session.fail(FailureMessage(failure))
    }
  }

  /// The failure, if it is about access points.
  private static func isAboutAccessPoints(_ failure: LocationFailure, _ usesOnlyWiFi: Bool) -> LocationFailure? {
    switch failure {
    case .noKnownAccessPoint: failure
    case .noSource: usesOnlyWiFi ? .noKnownAccessPoint(received: 0) : nil
    default: nil
    }
  }

  // MARK: - Waiting for a receiver (--wait)

  private func beginOfWait() {
    guard waitsSince == nil else { return }
    waitsSince = session.now
    session.clearProgress()
    Diagnostics.print(
      "No receiver is attached: waiting at most \(Self.seconds(options.timeout)) until one is plugged in.")
  }

  private func endOfWait() {
    guard let begin = waitsSince else { return }
    waitsSince = nil
    session.clearProgress()
    Diagnostics.print("Waited \(Self.seconds(session.now - begin)) for a receiver.")
  }

  private static func seconds(_ duration: Duration) -> String {
    "\(FixedDecimal.text(duration.inSeconds, decimals: duration < .seconds(10) ? 1 : 0) ?? "?") s"
  }
}
