import Geodesy
import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdService
import PlacesCore
import Positioning

/// A query for the server of places that the administrator has configured, through locationd, which checks the access and asks the
/// server. Only commands that answer a single question of a person use this: never exports, lists, completion or the map.
final class ProviderQuery: CommandHandler {
  private static let purpose = "to ask the configured server for a place"
  /// Longer than the server may take, with a queue before it.
  private static let patience: Duration = .seconds(60)

  let session: CommandSession
  private let request: PlacesRequest
  private let data: PlaceData
  private var places: [Place] = []

  private init(_ request: PlacesRequest, _ data: PlaceData, in session: CommandSession) {
    (self.request, self.data, self.session) = (request, data, session)
  }

  /// The server's places, the best first; empty if no server is configured or none answers. Why a configured server has not answered is
  /// printed.
  static func places(_ request: PlacesRequest, _ data: PlaceData) -> [Place] {
    var places: [Place] = []
    _ = CommandSession.withDaemonIfAny(purpose: purpose) { session in
      let query = ProviderQuery(request, data, in: session)
      let status = query.run()
      places = query.places
      return status
    }
    return places
  }

  func start() {
    session.setTimer(after: Self.patience) { [unowned self] in session.fail(.noReply(remedy: "try again")) }
    session.send(.places(request), for: self)
  }

  func receive(_ reply: [Place], to request: RequestID) {
    places = reply.map { data.finder.completed($0) }
    session.finish(.done)
  }

  func receive(_ failure: LocationFailure, of request: RequestID) {
    switch failure {
    case .places(.noProvider): session.finish(.done)
    case .places: session.fail(FailureMessage(failure))
    // Report why the server gave no answer only to a user who expects one.
    default: if Self.isConfigured { session.fail(FailureMessage(failure)) } else { session.finish(.done) }
    }
  }

  /// An older service does not know the request.
  func receiveMismatch(to request: RequestID) { session.finish(.done) }

  private static var isConfigured: Bool {
    ConfigurationFiles.ofProcess.load(ofUnit: true).settings.places.provider != nil
  }
}

extension FailureMessage {
  /// Why the server of places has not answered.
  init(_ failure: PlacesFailure) {
    switch failure {
    case .noProvider:
      self.init("No server of places is configured: see 'places-provider' in locationd.conf(5).", .noData)
    case .noContact:
      self.init(
        "The server of places is not asked, because its owner must be able to reach you: run "
          + "'sudo locationctl config set places-contact ADDRESS' with your e-mail address.", .noData)
    case .busy: self.init("Too many queries are waiting for the server of places: try again.", .locationUnknown)
    case .tooLong:
      self.init("The text is empty or too long for the server of places: use a shorter one.", .usage)
    case .failed(let host, let problem):
      self.init("The server of places \(TerminalText.sanitized(host)): \(problem.sentence).", .locationUnknown)
    }
  }
}
