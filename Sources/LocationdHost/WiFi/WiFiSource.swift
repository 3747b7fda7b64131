import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationIPC
import LocationStore
package import LocationdService
import Positioning

/// Tells the service where the machine is by the access points around, and learns by its fixes where these are. Without a wish
/// nothing is open.
package final class WiFiSource {
  /// A passive scan of all channels takes a Raspberry Pi five seconds; so long something unheard may still be heard.
  private static let patience: Duration = .seconds(6)
  /// Whoever asks what is around has it scanned, unless that was done so lately.
  private static let freshness: Duration = .seconds(5)
  /// The store stays open so long after the last that was asked of it: an import is thousands of requests.
  private static let storeIdleTime: Duration = .seconds(2)

  /// Somebody who waits for what is heard.
  private struct Question {
    let client: ClientID
    let request: RequestID
    /// Whether it is to be told where that is.
    let wantsPosition: Bool
  }

  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let knowledge: PlaceKnowledge
  /// What others are asked for, where that is set.
  private var outside: OutsideKnowledge?
  /// Whether it is the only source, so that it is to be told what is wrong with it.
  private let isAlone: Bool
  private let solver = WiFiSolver()
  private var scanner: WiFiScanner?
  private var wish: WiFiWish?
  private var sightings: [AccessPointSighting] = []
  private var similarity = SamePlace()
  /// Whether something was told since somebody wants it.
  private var hasTold = false
  /// Whether a position is waited for that what was heard so far does not give.
  private var isSearching = false
  private var timer: TimerID?
  private var closing: TimerID?
  /// Who waits for what is heard.
  private var questions: [Question] = []
  private var scans = 0

  /// Answers what clients ask.
  package var onAnswer: ((ClientID, ServiceEvent) -> Void)?

  /// `nil` where LOCATIOND_WIFI is `off`.
  package init?(_ loop: EventLoop, _ runner: ServiceRunner, stateFolder: String, isAlone: Bool) {
    guard ServiceVariables.wifi != "off" else { return nil }
    self.loop = loop
    self.runner = runner
    self.isAlone = isAlone
    knowledge = PlaceKnowledge(stateFolder: stateFolder)
    outside = OutsideKnowledge(loop: loop, knowledge: knowledge) { [unowned self] in concludeAnew() }
  }

  /// Tells the service that it may ask.
  package func begin() {
    runner.listenToWiFi = { [unowned self] in want($0) }
    // Where nothing is heard, there is nothing to place.
    runner.learnPlaces = { [unowned self] in
      guard scanner != nil else { return }
      knowledge.learn($0, at: loop.now)
      outside?.note($0.coordinate)
    }
    runner.feed(.wifiChanged(isThere: true))
  }

  /// Ends.
  func close() {
    wish = nil
    questions = []
    settle()
    closeStore()
  }

  // MARK: - What is wanted

  private func want(_ new: WiFiWish?) {
    // Who wanted others' scans alone had no need of a position.
    if wish?.period == nil || new == nil { hasTold = false }
    wish = new
    settle()
    guard new != nil, !hasTold else { return }
    // What was heard for another is as good.
    if !sightings.isEmpty { conclude() }
    scanner?.list()
  }

  /// Opens or closes the radio, as it is wanted.
  private func settle() {
    guard wish != nil || !questions.isEmpty else {
      scanner?.close()
      scanner = nil
      (sightings, scans, isSearching) = ([], 0, false)
      cancelTimer()
      return closeStoreSoon()
    }
    // To ask the kernel has it look for a module, at each command.
    guard WiFiScanner.isSupported else { return deaf() }
    if scanner == nil {
      scanner = WiFiScanner(loop: loop, helper: WiFiScanner.systemHelper) { [unowned self] in take($0) }
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
      if wish == nil, questions.isEmpty { knowledge.close() }
    }
  }

  private func closeStore() {
    if let closing { loop.cancel(closing) }
    closing = nil
    knowledge.close()
  }

  /// Whoever waits has it scanned now.
  private func setPeriod() {
    let period = questions.isEmpty && !isSearching ? wish?.period : Self.freshness
    scanner?.want(ScanWish(period: period, idlePeriod: wish?.learningPeriod))
  }

  /// No radio: told once the wish has been taken.
  private func deaf() {
    guard timer == nil else { return }
    timer = loop.schedule(at: loop.now) { [unowned self] in
      timer = nil
      if isAlone { runner.feed(.sourceless(.radio(.noKernelSupport))) }
      conclude(isLate: true)
    }
  }

  private func take(_ event: WiFiScanner.Event) {
    switch event {
    case .heard(let heard):
      sightings = heard
      scans += 1
      knowledge.learn(heard, at: loop.now)
      conclude()
    case .optedOut(let addresses): knowledge.leaveOut(addresses)
    case .outlook(.starting): break
    case .outlook(.listening(let problem)):
      if isAlone { runner.feed(.sourceless(problem.map { .radio($0) } ?? .noSource)) }
      // What could still have been heard will not be.
      if problem != nil, scans > 0 { conclude() }
    case .outlook(.deaf(let problem)):
      sightings = []
      if isAlone { runner.feed(.sourceless(.radio(problem))) }
      conclude()
    }
  }

  // MARK: - What is told

  /// Whether a scan may yet bring what was not heard.
  private var mayHearMore: Bool {
    scanner?.outlook == .listening(nil) && (outside?.hasProvider == true || !knowledge.isEmpty)
  }

  /// Whether anybody wants to know where that is, and not only what there is.
  private var wantsPosition: Bool { wish?.period != nil || questions.contains(where: \.wantsPosition) }

  /// Something is known that was not; or will not be.
  private func concludeAnew() {
    guard wantsPosition, scanner != nil else { return }
    conclude()
  }

  /// Where that is: what is known here before what a provider has said, who is asked where nothing is.
  private func locate(_ places: [AccessPointPlace]) -> WiFiPosition? {
    let position =
      solver.solve(sightings, places: places, at: loop.now) ?? outside?.position(of: sightings)
    if let position {
      outside?.note(position.coordinate)
    } else if wantsPosition {
      outside?.ask(sightings)
    }
    return position
  }

  /// Tells what is heard, or waits for more.
  private func conclude(isLate: Bool = false) {
    let places = knowledge.places(of: sightings)
    let position = locate(places)
    let isAsking = position == nil && wantsPosition && outside?.isAsking == true
    if wish != nil {
      if position == nil, !hasTold, wish?.period != nil, isAsking || (!isLate && mayHearMore) {
        isSearching = true
        setPeriod()
        armTimer()
      } else {
        hasTold = true
        if isSearching {
          isSearching = false
          setPeriod()
        }
        let isSamePlace = similarity.take(sightings)
        runner.feed(.scanned(WiFiScan(position: position, heard: sightings.count, isSamePlace: isSamePlace)))
      }
    }
    // The first list is what others have heard; a scan of our own follows where it can.
    guard !questions.isEmpty else { return }
    let mayHear = scans < 2 && !isLate && scanner?.outlook == .listening(nil)
    if isAsking || mayHear { armTimer() }
    guard !mayHear else { return }
    // Who wants to know what is heard waits for nobody outside.
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
    _ position: WiFiPosition?, _ places: [AccessPointPlace], to isMeant: (Question) -> Bool
  ) {
    let asked = questions.filter(isMeant)
    guard !asked.isEmpty else { return }
    questions.removeAll(where: isMeant)
    var hearing = WiFiHearing()
    let known = Set(places.map(\.bssid))
    let now = loop.now
    hearing.accessPoints = sightings.strongestFirst.prefix(MessageLimits.accessPoints).map {
      HeardAccessPoint(
        bssid: $0.bssid, signalDecibelMilliwatts: $0.signalDecibelMilliwatts,
        frequencyMegahertz: $0.frequencyMegahertz, age: max(.zero, now - $0.heardAt), isKnown: known.contains($0.bssid))
    }
    hearing.coordinate = position?.coordinate
    hearing.horizontalRadius68 = position?.radius68
    hearing.problem =
      switch scanner?.outlook {
      // The kernel owes its list.
      case .listening(nil)? where scans == 0: .noAnswer
      case .listening(let problem)?: problem
      case .deaf(let problem)?: problem
      case .starting?: .noAnswer
      case nil: .noKernelSupport
      }
    if questions.isEmpty { cancelTimer() }
    for question in asked { onAnswer?(question.client, .wifi(question.request, .heard(hearing))) }
    settle()
  }

  // MARK: - Clients

  /// What it makes of Wi-Fi now.
  package var report: WiFiReport {
    guard wish != nil || !questions.isEmpty else { return .resting }
    guard let scanner else { return .deaf(.noKernelSupport) }
    switch scanner.outlook {
    case .deaf(let problem): return .deaf(problem)
    case .starting: return .listening(heard: 0, known: 0, problem: nil)
    case .listening(let problem):
      let known = knowledge.places(of: sightings).count
      return .listening(heard: sightings.count, known: known, problem: problem)
    }
  }

  /// A client asks.
  package func ask(_ request: WiFiRequest, _ id: RequestID, from client: ClientID) {
    switch request {
    case .scan, .locate:
      questions.append(Question(client: client, request: id, wantsPosition: request == .locate))
      scans = 0
      settle()
      scanner?.list()
      // Also where the kernel's list never ends.
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

  /// The client has gone, or takes a request back; whether there was one.
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
    onAnswer?(client, failure.map { .failed(id, $0) } ?? answer)
    // What was opened for the question alone.
    settle()
  }
}
