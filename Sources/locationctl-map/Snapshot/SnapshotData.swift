import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdClient
import MapServing
import Regions

/// Asks the service for everything that a picture shows, one after the other, and then stops.
final class SnapshotData {
  private(set) var tracks: [(name: String, track: TrackPicture)] = []
  private(set) var regions: [Region] = []
  private(set) var position: LocateReply?
  /// How the program ends because something could not be had; `nil`: it could.
  private(set) var failure: ExitStatus?

  private let options: SnapshotOptions
  private let service: RemoteHost
  private let requests: ServiceRequests
  /// What is still to be asked for.
  private var steps: [() -> Void] = []

  /// More regions than a map can show; the service permits more to a user.
  private static let mostRegions = 2000

  init(_ options: SnapshotOptions, _ service: RemoteHost) {
    (self.options, self.service) = (options, service)
    requests = ServiceRequests { service.send($0) }
    service.onEvent = { [unowned self] in requests.receive($0) }
    service.onSignal = { [unowned self] signal in
      switch signal {
      case SignalNumber.interrupt: end(.interrupted)
      case SignalNumber.hangUp: end(.hungUp)
      default: end(.terminated)
      }
    }
  }

  func read() throws(HostError) {
    // The position last: meanwhile the receiver may be starting.
    if options.showsPosition { steps.append { [unowned self] in readPosition() } }
    if options.showsRegions { steps.append { [unowned self] in readRegions() } }
    for name in options.logs.reversed() {
      steps.append { [unowned self] in
        tracks.append((name, TrackPicture()))
        readLog(.read(name: name, from: options.from, to: options.to))
      }
    }
    next()
    try service.run()
  }

  private func next() {
    if let step = steps.popLast() { step() } else { service.stop() }
  }

  private func end(_ status: ExitStatus) {
    failure = status
    service.stop()
  }

  private func fail(_ failure: LocationFailure, _ subject: String) {
    let sentence = FailureText.of(failure)
    let status: ExitStatus =
      switch failure {
      case .log(.unknown): .noData
      case .notAuthorized, .permissionDenied: .denied
      default: .noSource
      }
    end(MapProgram.fail(status, subject + String(sentence.dropLast())))
  }

  private func readLog(_ request: LogRequest) {
    requests.send(.logPage(request)) { [unowned self] event in
      switch event {
      case .progress: break
      case .failed(let failure): fail(failure, "log \(tracks.last?.name ?? ""): ")
      case .reply(let page):
        let last = tracks.count - 1
        // The service reads the next page meanwhile.
        let continues = page.next != nil && !tracks[last].track.isCut
        if let bookmark = page.next, continues { readLog(.readOn(bookmark)) }
        for entry in page.entries { tracks[last].track.append(entry) }
        if !continues { next() }
      }
    }
  }

  private func readRegions() {
    requests.send(.monitoringLists) { [unowned self] event in
      switch event {
      case .progress: break
      case .failed(let failure): fail(failure, "")
      case .reply(let lists): readRegions(lists.filter { $0.regions > 0 }.map(\.name)[...], from: 0)
      }
    }
  }

  private func readRegions(_ lists: ArraySlice<String>, from index: UInt32) {
    guard let list = lists.first, regions.count < Self.mostRegions else { return next() }
    requests.send(.regions(of: list, from: index)) { [unowned self] event in
      switch event {
      case .progress: break
      case .failed(let failure): fail(failure, "")
      case .reply(let page):
        regions += page.regions.map(\.region)
        if let next = page.next { readRegions(lists, from: next) } else { readRegions(lists.dropFirst(), from: 0) }
      }
    }
  }

  /// The newest position, if need be one that is known from earlier.
  private func readPosition() {
    let options = OneShotOptions(timeout: .seconds(30), maximumAge: .seconds(60), acceptsLastKnown: true)
    requests.send(.locate(options)) { [unowned self] event in
      switch event {
      case .progress: break
      case .failed(let failure): fail(failure, "")
      case .reply(let reply):
        position = reply
        next()
      }
    }
  }
}
