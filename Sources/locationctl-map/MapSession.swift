import Geodesy
import LinuxIO
import LocalHTTP
import LocationIPC
import LocationPolicy
import LocationdClient
import MapServing
import Regions
import TrackFormats

/// Serves the page: passes requests for data to the service, and the service's events to the open pages. While no page is open, the service
/// is asked for nothing.
final class MapSession {
  /// The list of the regions that the user draws.
  static let list = "map"
  /// After a failure of the stream of positions, it is requested again.
  private static let retryDelay = Duration.seconds(5)

  let server: LocalServer
  let requests: ServiceRequests
  /// Called when a browser has come with the token.
  var onEntry: () -> Void = {}
  private let service: RemoteHost
  private let gate: RequestGate
  private let folder: PageFolder
  private let basemap: Basemap
  private let isReadOnly: Bool
  private var streams: Set<LocalServer.RequestNumber> = []
  private var subscriptions: [RequestID] = []
  private var retry: TimerID?
  private var writer = JSONLineWriter()
  /// The newest event of each kind, for a page that is opened later.
  private var newest: [ServerEvent.Kind: ServerEvent] = [:]

  init(
    _ server: LocalServer, _ service: RemoteHost, _ gate: RequestGate, _ folder: PageFolder, _ basemap: Basemap,
    isReadOnly: Bool
  ) {
    (self.server, self.service, self.gate, self.folder) = (server, service, gate, folder)
    (self.basemap, self.isReadOnly) = (basemap, isReadOnly)
    requests = ServiceRequests { service.send($0) }
  }

  func begin() {
    service.onEvent = { [unowned self] in requests.receive($0) }
    server.onRequest = { [unowned self] in reply(to: $0, $1) }
    server.onStreamEnd = { [unowned self] number in
      streams.remove(number)
      if streams.isEmpty { unsubscribe() }
    }
  }

  private func reply(to request: HTTPRequest, _ number: LocalServer.RequestNumber) -> LocalServer.Reply {
    switch gate.check(request) {
    case .enter:
      onEntry()
      return .now(gate.entry(request))
    case .refuse(let status, let sentence): return .now(HTTPResponse(status, sentence: sentence))
    case .serve(let route): return serve(route, request, number)
    }
  }

  private func serve(
    _ route: Route, _ request: HTTPRequest, _ number: LocalServer.RequestNumber
  ) -> LocalServer.Reply {
    switch route {
    case .file(let file): return .now(folder.response(file, to: request))
    case .events:
      open(number)
      return .stream(HTTPResponse(.ok, .events))
    case .towns(let area, let most): return .now(HTTPResponse(.ok, .json, basemap.towns(area, most)))
    case .basemap: return .now(HTTPResponse(.ok, .json, basemap.description))
    case .tile(let file, let address): return .now(basemap.response(file, address))
    case .address(let coordinate): return .now(HTTPResponse(.ok, .json, basemap.address(coordinate)))
    case .logs:
      requests.send(.logs) { [unowned self] in answer(number, $0) { MapJSON.logs($0) } }
    case .track(let name, let from, let to):
      TrackReading(self, number).begin(name, from: from, to: to)
    case .regions: RegionReading(self, number).begin()
    case .setRegion(let region):
      guard !isReadOnly else { return .now(Self.readOnly) }
      requests.send(.monitoring(.add(list: Self.list, [MonitoredRegion(region)], outlives: true))) { [unowned self] in
        answer(number, $0) { Array("{}".utf8) }
      }
    case .removeRegion(let identifier):
      guard !isReadOnly else { return .now(Self.readOnly) }
      requests.send(.monitoring(.remove(list: Self.list, [identifier]))) { [unowned self] in
        answer(number, $0) { Array("{}".utf8) }
      }
    case .visits:
      // Visits are detected for the list of the command line.
      requests.send(.visits(of: "locationctl", from: nil)) { [unowned self] in
        answer(number, $0) { MapJSON.visits($0) }
      }
    }
    return .later
  }

  private static let readOnly = HTTPResponse(
    .forbidden, sentence: "This map cannot be changed: it was started with --read-only or --share.")

  /// Answers with the reply of the service, or with its failure.
  func answer<Reply>(
    _ number: LocalServer.RequestNumber, _ event: RequestEvent<Reply>, _ body: (Reply) -> [UInt8]
  ) {
    switch event {
    case .reply(let reply): server.answer(number, HTTPResponse(.ok, .json, body(reply)))
    case .progress: break
    case .failed(let failure): server.answer(number, Self.response(failure))
    }
  }

  static func response(_ failure: LocationFailure) -> HTTPResponse {
    let status: HTTPResponse.Status =
      switch failure {
      case .log(.unknown): .notFound
      case .notAuthorized: .forbidden
      case .log, .monitoring: .conflict
      default: .unavailable
      }
    return HTTPResponse(status, sentence: FailureText.of(failure))
  }

  // MARK: - The stream

  private func open(_ number: LocalServer.RequestNumber) {
    streams.insert(number)
    if subscriptions.isEmpty, retry == nil { subscribe() }
    // The stream itself begins after this call.
    service.surroundings.loop.schedule(at: service.now) { [unowned self] in
      for event in newest.values { server.send(event, to: number) }
    }
  }

  private func send(_ event: ServerEvent) {
    if event.kind != .monitoring { newest[event.kind] = event }
    for number in streams { server.send(event, to: number) }
  }

  private func sendState(_ word: String, _ sentence: String) {
    send(ServerEvent(.state, MapJSON.state(word, sentence)))
  }

  private func subscribe() {
    subscriptions = [
      requests.send(.updates(UpdateOptions(waitsForSource: true))) { [unowned self] in receive($0) },
      requests.send(.sky(waitsForSource: true)) { [unowned self] in
        // Not every user has access to the satellites, and Wi-Fi has none.
        if case .reply(let report) = $0 { send(ServerEvent(.sky, MapJSON.sky(report))) }
      },
      requests.send(.monitoringEvents) { [unowned self] in
        if case .reply(let reply) = $0 { send(ServerEvent(.monitoring, MapJSON.event(reply.event, list: reply.list))) }
      },
    ]
  }

  private func unsubscribe() {
    for id in subscriptions { requests.cancel(id) }
    subscriptions = []
    newest = [:]
    if let retry { service.surroundings.loop.cancel(retry) }
    retry = nil
  }

  private func receive(_ event: RequestEvent<FixEvent>) {
    switch event {
    case .reply(.fix(let fix, let age)): send(ServerEvent(.fix, writer.line(LocatedFix(fix, age: age))))
    case .reply(.change(let change)):
      switch change {
      case .lost: sendState("lost", "The position is lost.")
      case .back, .resumed, .unpaused: sendState("live", "")
      case .suspended, .paused: sendState("paused", "Positions are paused.")
      }
    case .progress(let progress): sendState("waiting", FailureText.of(progress))
    case .failed(let failure):
      for id in subscriptions { requests.cancel(id) }
      subscriptions = []
      sendState("failed", FailureText.of(failure))
      retry = service.surroundings.loop.schedule(at: service.now + Self.retryDelay) { [unowned self] in
        retry = nil
        if !streams.isEmpty { subscribe() }
      }
    }
  }
}
