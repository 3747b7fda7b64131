import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
package import LocationPolicy
import LocationStore
import LocationdService
import Positioning

/// Reports the machine's position from access points in range to the service, and learns the positions of access points
/// from the service's fixes. Without a request the radio and the store are closed.
package final class WiFiSource {
  /// How long to wait for more access points: a passive scan of all channels takes a Raspberry Pi five seconds.
  private static let patience: Duration = .seconds(6)
  /// A client's request starts a scan, unless the last scan is more recent than this.
  private static let freshness: Duration = .seconds(5)
  /// How long the store stays open after the last request: an import consists of thousands of requests.
  private static let storeIdleTime: Duration = .seconds(2)

  /// A client's request that waits for scan results.
  private struct PendingRequest {
    let client: ClientID
    let request: RequestID
    /// Whether the request is for the position, and not only for the access points.
    let wantsPosition: Bool
  }

  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let knowledge: AccessPointDatabase
  /// Providers and tiles, if configured.
  private var outside: NetworkLocationSource?
  /// Whether Wi-Fi is the only source; if so, its problems are reported.
  private let isAlone: Bool
  private let solver = WiFiSolver()
  private var scanner: WiFiScanner?
  private var requirement: WiFiRequirement?
  private var observations: [AccessPointObservation] = []
  private var similarity = ScanComparison()
  /// Whether a scan was reported since the current requirement began.
  private var hasReported = false
  /// Whether a position is needed that the scans so far do not provide.
  private var isSearching = false
  private var timer: TimerID?
  private var closing: TimerID?
  /// The requests that wait for scan results.
  private var questions: [PendingRequest] = []
  private var scans = 0

  /// - Parameter network: the external services that may be used.
  package init(
    _ loop: EventLoop, _ runner: ServiceRunner, stateFolder: String, network: NetworkLocationSettings, isAlone: Bool
  ) {
    self.loop = loop
    self.runner = runner
    self.isAlone = isAlone
    knowledge = AccessPointDatabase(stateFolder: stateFolder)
    outside = NetworkLocationSource(loop: loop, knowledge: knowledge, settings: network, observer: self)
  }

  /// Uses other external services from now on; a request in progress gets no answer from the previous ones.
  package func use(_ network: NetworkLocationSettings) {
    outside?.forget()
    outside = NetworkLocationSource(loop: loop, knowledge: knowledge, settings: network, observer: self)
    concludeAgain()
  }

  /// Informs the service that Wi-Fi is available.
  package func begin() { runner.handle(.wifiChanged(isThere: true)) }

  /// Ends all requests, and closes the radio and the store.
  package func close() {
    requirement = nil
    for question in questions { runner.answer(question.client, .failed(question.request, .radio(.switchedOff))) }
    questions = []
    settle()
    outside?.forget()
    closeStore()
  }

  // MARK: - Requirements

  /// Starts, changes or stops scanning.
  func require(_ new: WiFiRequirement?) {
    // A requirement without a period used only the scans of other programs, and needed no position.
    if requirement?.period == nil || new == nil { hasReported = false }
    requirement = new
    settle()
    guard new != nil, !hasReported else { return }
    // Earlier scan results, of another request, serve as well.
    if !observations.isEmpty { conclude() }
    scanner?.list()
  }

  /// Learns the positions of the access points that were received at the time of a fix.
  func learn(at fix: PositionFix) {
    // Without scans there are no access points to locate.
    guard scanner != nil else { return }
    knowledge.learn(fix, at: loop.now)
    outside?.note(fix.coordinate)
  }

  /// Opens or closes the radio, as required.
  private func settle() {
    guard requirement != nil || !questions.isEmpty else {
      scanner?.close()
      scanner = nil
      (observations, scans, isSearching) = ([], 0, false)
      cancelTimer()
      return closeStoreSoon()
    }
    // Checked first: if the kernel lacks support, a query at each command would make it search for a module.
    guard WiFiScanner.isSupported else { return deaf() }
    if scanner == nil {
      scanner = WiFiScanner(loop: loop, helper: WiFiScanner.systemHelper) { [unowned self] in receive($0) }
    }
    setPeriod()
  }

  private func closeStoreSoon() {
    knowledge.save()
    let end = loop.now + Self.storeIdleTime
    if let closing {
      loop.reschedule(closing, at: end)
      return
    }
    closing = loop.schedule(at: end) { [unowned self] in
      closing = nil
      if requirement == nil, questions.isEmpty { knowledge.close() }
    }
  }

  private func closeStore() {
    if let closing { loop.cancel(closing) }
    closing = nil
    knowledge.close()
  }

  /// Sets the scan period; waiting requests need scans now.
  private func setPeriod() {
    let period = questions.isEmpty && !isSearching ? requirement?.period : Self.freshness
    scanner?.setPolicy(ScanPolicy(period: period, idlePeriod: requirement?.learningPeriod))
  }

  /// Reports that the kernel does not support Wi-Fi: later, from the loop, when the caller has returned.
  private func deaf() {
    guard timer == nil else { return }
    timer = loop.schedule(at: loop.now) { [unowned self] in
      timer = nil
      if isAlone { runner.handle(.sourceless(.radio(.noKernelSupport))) }
      conclude(isLate: true)
    }
  }

  private func receive(_ event: WiFiScanner.Event) {
    switch event {
    case .received(let received):
      observations = received
      scans += 1
      knowledge.learn(received, at: loop.now)
      conclude()
    case .optedOut(let addresses): knowledge.leaveOut(addresses)
    case .outlook(.starting): break
    case .outlook(.listening(let problem)):
      if isAlone { runner.handle(.sourceless(problem.map { .radio($0) } ?? .noSource)) }
      // Access points that are still missing will not be received any more.
      if problem != nil, scans > 0 { conclude() }
    case .outlook(.deaf(let problem)):
      observations = []
      if isAlone { runner.handle(.sourceless(.radio(problem))) }
      conclude()
    }
  }

  // MARK: - Position

  /// Whether a scan may still find more access points.
  private var mayReceiveMore: Bool {
    scanner?.outlook == .listening(nil) && (outside?.hasProvider == true || !knowledge.isEmpty)
  }

  /// Whether any request needs the position, and not only the access points.
  private var wantsPosition: Bool { requirement?.period != nil || questions.contains(where: \.wantsPosition) }

  /// The position: from local data first, otherwise from a provider, which is asked if its answers contain none.
  private func locate(_ places: [AccessPointPosition]) -> WiFiPosition? {
    let position =
      solver.solve(observations, places: places, at: loop.now) ?? outside?.position(of: observations)
    if let position {
      outside?.note(position.coordinate)
    } else if wantsPosition {
      outside?.ask(observations)
    }
    return position
  }

  /// Reports the scan results, or waits for more.
  private func conclude(isLate: Bool = false) {
    let places = knowledge.places(of: observations)
    let position = locate(places)
    let isAsking = position == nil && wantsPosition && outside?.isAsking == true
    if requirement != nil {
      if position == nil, !hasReported, requirement?.period != nil, isAsking || (!isLate && mayReceiveMore) {
        isSearching = true
        setPeriod()
        armTimer()
      } else {
        hasReported = true
        if isSearching {
          isSearching = false
          setPeriod()
        }
        let isSamePlace = similarity.update(observations)
        runner.handle(.scanned(WiFiScan(position: position, received: observations.count, isSamePlace: isSamePlace)))
      }
    }
    // The first list contains the results of other programs' scans; this service's own scan follows if possible.
    guard !questions.isEmpty else { return }
    let mayReceive = scans < 2 && !isLate && scanner?.outlook == .listening(nil)
    if isAsking || mayReceive { armTimer() }
    guard !mayReceive else { return }
    // A request for the access points alone does not wait for a provider.
    answer(position, places) { !isAsking || !$0.wantsPosition }
  }

  private func armTimer() {
    guard timer == nil else { return }
    timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in
      timer = nil
      conclude(isLate: true)
    }
  }

  private func cancelTimer() {
    if let timer { loop.cancel(timer) }
    timer = nil
  }

  private func answer(
    _ position: WiFiPosition?, _ places: [AccessPointPosition], to isMeant: (PendingRequest) -> Bool
  ) {
    let asked = questions.filter(isMeant)
    guard !asked.isEmpty else { return }
    questions.removeAll(where: isMeant)
    var located = WiFiObservation()
    let known = Set(places.map(\.bssid))
    let now = loop.now
    located.accessPoints = observations.strongestFirst.prefix(MessageLimits.accessPoints).map {
      VisibleAccessPoint(
        bssid: $0.bssid, signalDecibelMilliwatts: $0.signalDecibelMilliwatts,
        frequencyMegahertz: $0.frequencyMegahertz, age: max(.zero, now - $0.receivedAt),
        isKnown: known.contains($0.bssid))
    }
    located.coordinate = position?.coordinate
    located.horizontalRadius68 = position?.radius68
    located.problem =
      switch scanner?.outlook {
      // The kernel has not returned its list of access points yet.
      case .listening(nil)? where scans == 0: .noAnswer
      case .listening(let problem)?: problem
      case .deaf(let problem)?: problem
      case .starting?: .noAnswer
      case nil: .noKernelSupport
      }
    if questions.isEmpty { cancelTimer() }
    for question in asked { runner.answer(question.client, .wifi(question.request, .received(located))) }
    settle()
  }

  // MARK: - Clients

  /// The current state of the radio.
  package var report: WiFiReport {
    guard requirement != nil || !questions.isEmpty else { return .resting }
    guard let scanner else { return .deaf(.noKernelSupport) }
    switch scanner.outlook {
    case .deaf(let problem): return .deaf(problem)
    case .starting: return .listening(received: 0, known: 0, problem: nil)
    case .listening(let problem):
      let known = knowledge.places(of: observations).count
      return .listening(received: observations.count, known: known, problem: problem)
    }
  }

  /// Handles a client's request.
  package func ask(_ request: WiFiRequest, _ id: RequestID, from client: ClientID) {
    switch request {
    case .scan, .locate:
      questions.append(PendingRequest(client: client, request: id, wantsPosition: request == .locate))
      scans = 0
      settle()
      scanner?.list()
      // Ensures that there is an answer even if the kernel's list never ends.
      armTimer()
    case .account:
      var account = knowledge.account
      outside?.describe(&account)
      finish(client, id, .wifi(id, .account(account)))
    case .read(let kind, let last): finish(client, id, .wifi(id, knowledge.page(of: kind, after: last)))
    case .add(let places):
      knowledge.add(places)
      finish(client, id, .done(id))
    case .leaveOut(let addresses):
      knowledge.leaveOut(Set(addresses))
      finish(client, id, .done(id))
    case .forget(let kind):
      if kind == .fetched { outside?.forget() }
      knowledge.forget(kind)
      finish(client, id, .done(id))
    }
  }

  /// Cancels one request of a client, or all of them if `request` is `nil`; returns whether there was one.
  @discardableResult
  package func cancel(_ client: ClientID, _ request: RequestID? = nil) -> Bool {
    let count = questions.count
    questions.removeAll { $0.client == client && (request == nil || $0.request == request) }
    guard questions.count != count else { return false }
    settle()
    return true
  }

  private func finish(_ client: ClientID, _ id: RequestID, _ answer: ServiceEvent) {
    let failure = knowledge.problem.map {
      LocationFailure.placesNotKept(path: knowledge.path, reason: $0.words, $0.cause)
    }
    runner.answer(client, failure.map { .failed(id, $0) } ?? answer)
    // Closes what was opened only for this request.
    settle()
  }
}

extension WiFiSource: OutsideObserver {
  package func providerAnswered() { concludeAgain() }
  package func tileStored() { concludeAgain() }
  package func tileReplied() {}

  /// Concludes again: a provider or a tile may have provided a position, or a request to the provider has ended without
  /// one.
  private func concludeAgain() {
    guard wantsPosition, scanner != nil else { return }
    conclude()
  }
}
