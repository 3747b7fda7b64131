package import Geodesy
package import WireFormats

/// All access points that this machine's radios receive, whichever program requests the scan: follows interfaces as they come
/// and go, reads the kernel's list after every scan, and requests a passive scan when one is required and no other program has
/// requested one.
package struct ScanRadio: Sendable {
  package enum Input: Hashable, Sendable {
    /// The socket is open.
    case start
    case received(NetlinkEnvelope, NetlinkMessage)
    /// The socket has lost messages.
    case lost
    /// The scan policy changed.
    case wanted(ScanPolicy)
    /// Read the kernel's current list.
    case list
    /// The helper's answer: `errno`, 0 if the scan has begun; `nil`: no helper answers.
    case helperAnswered(interface: UInt32, errno: Int32?)
    case deadlinePassed
  }

  package enum Action: Hashable, Sendable {
    /// One message to the kernel.
    case send([UInt8])
    /// Join this multicast group.
    case join(group: UInt32)
    /// The number of the nl80211 family from now on.
    case know(family: UInt16)
    /// Have the privileged helper start a passive scan on these channels, MHz; empty: all.
    case askHelper(interface: UInt32, frequencies: [UInt32])
    /// All usable access points that the radios receive.
    case received([AccessPointObservation])
    /// Access points received now whose owners opt out of every use.
    case optedOut(Set<BSSID>)
    case outlook(RadioCapability)
  }

  private enum Link {
    case closed
    /// Requested the family's number.
    case resolving(sequence: UInt32, deadline: Instant)
    case unavailable(RadioProblem)
    case open(family: UInt16)
  }

  /// The controller's own group, which announces new families: its number is the controller's (net/netlink/genetlink.c).
  private static let controllerGroup: UInt32 = 0x10
  /// Lost lists are read again after 1 s; each failure doubles the time, up to 64 s.
  private static let mostDoublings = 6

  private let maximumAge: Duration
  private var link = Link.closed
  private var numbers = NetlinkSequence()
  private var reader = ListReader()
  /// `nil` until the kernel has listed the interfaces.
  private var table: RadioTable?
  private var plans: [UInt32: ScanPlan] = [:]
  private var policy = ScanPolicy()
  /// The last list of each radio.
  private var received: [UInt32: [AccessPointObservation]] = [:]
  /// When to read all lists again, and how often that has failed.
  private var readAllAt: Instant?
  private var failures = 0
  /// Scans requested from the helper, and those requested from the kernel; at most one for each radio.
  private var atHelper: [(interface: UInt32, radio: UInt32, frequencies: [UInt32])] = []
  private var atKernel: [(sequence: UInt32, radio: UInt32)] = []
  /// The last reported capability.
  package private(set) var outlook = RadioCapability.starting

  /// - Parameter maximumAge: observations older than this are not reported.
  package init(maximumAge: Duration) { self.maximumAge = maximumAge }

  /// When to call with `.deadlinePassed`.
  package var nextDeadline: Instant? {
    var deadlines = plans.compactMap { $1.nextDeadline(policy(of: $0)) }
    if case .resolving(_, let deadline) = link { deadlines.append(deadline) }
    if let deadline = reader.nextDeadline { deadlines.append(deadline) }
    if let readAllAt { deadlines.append(readAllAt) }
    return deadlines.min()
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    var actions: [Action] = []
    switch input {
    case .start: start(at: now, &actions)
    case .received(let envelope, .accessPoint(let entry)):
      // Hundreds of these arrive, and each changes only the list.
      if let outcome = reader.receive(envelope, .accessPoint(entry), at: now) {
        finish(outcome, at: now, &actions)
        break
      }
      return []
    case .received(let envelope, let message): receive(envelope, message, at: now, &actions)
    case .lost: lose(at: now)
    case .wanted(let new):
      policy = new
      for radio in plans.keys { plans[radio]?.requestedAgain() }
    case .list: for radio in table?.radios ?? [] { reader.request(radio) }
    case .helperAnswered(let interface, let errno): helperAnswered(interface, errno, at: now, &actions)
    case .deadlinePassed: pass(at: now, &actions)
    }
    advance(at: now, &actions)
    return actions
  }

  /// Runs after every input: requests the next list and the next scan, and reports a changed capability.
  private mutating func advance(at now: Instant, _ actions: inout [Action]) {
    if case .open(let family) = link {
      for radio in table?.radios ?? [] { step(radio, at: now, &actions) }
      if let request = reader.next(family, table ?? RadioTable(), &numbers, at: now) { actions.append(.send(request)) }
    }
    let judged = judge()
    guard judged != outlook else { return }
    outlook = judged
    actions.append(.outlook(judged))
  }

  private mutating func step(_ radio: UInt32, at now: Instant, _ actions: inout [Action]) {
    let policy = policy(of: radio)
    guard let step = plans[radio]?.step(policy, at: now), let interface = table?.scanner(of: radio)?.index else {
      return
    }
    switch step {
    case .readList: reader.request(radio)
    case .scan(let frequencies):
      atHelper.append((interface, radio, frequencies))
      actions.append(.askHelper(interface: interface, frequencies: frequencies))
    }
  }

  /// The scan policy of a radio: no scans of its own while it serves as an access point.
  private func policy(of radio: UInt32) -> ScanPolicy { table?.scanner(of: radio) == nil ? ScanPolicy() : policy }

  // MARK: The family

  private mutating func start(at now: Instant, _ actions: inout [Action]) {
    guard case .closed = link else { return }
    let number = numbers.next()
    link = .resolving(sequence: number, deadline: now + ScanDump.patience)
    actions += [.join(group: Self.controllerGroup), .send(NetlinkRequest.family(sequence: number))]
  }

  /// The family exists, or its first driver has just been loaded.
  private mutating func open(_ family: WirelessFamily, _ actions: inout [Action]) {
    if case .open(family.id) = link { return }
    link = .open(family: family.id)
    reader.stop()
    atKernel = []
    actions.append(.know(family: family.id))
    for group in [family.configurationGroup, family.scanGroup] {
      if let group { actions.append(.join(group: group)) }
    }
    reader.wantInterfaces()
  }

  // MARK: Messages

  private mutating func receive(
    _ envelope: NetlinkEnvelope, _ message: NetlinkMessage, at now: Instant, _ actions: inout [Action]
  ) {
    if case .family(let family) = message { return open(family, &actions) }
    if case .overrun = message { return lose(at: now) }
    guard envelope.sequence != 0 else { return note(message, at: now) }
    if case .resolving(envelope.sequence, _) = link {
      guard case .refused(let errno) = message else { return }
      link = .unavailable(errno == KernelErrno.noSuchThing ? .noKernelSupport : .noAnswer)
    } else if let place = atKernel.firstIndex(where: { $0.sequence == envelope.sequence }) {
      let radio = atKernel.remove(at: place).radio
      switch message {
      case .acknowledged: answered(radio, errno: 0, at: now)
      case .refused(let errno): answered(radio, errno: errno, at: now)
      default: break
      }
    } else if let outcome = reader.receive(envelope, message, at: now) {
      finish(outcome, at: now, &actions)
    }
  }

  /// Handles a message that answers no request.
  private mutating func note(_ message: NetlinkMessage, at now: Instant) {
    switch message {
    case .interface(let interface):
      guard var table else { return }
      if table.reader(of: interface.radioIndex) == nil { reader.request(interface.radioIndex) }
      table.note(interface)
      update(table)
    case .interfaceGone(let index):
      guard var table else { return }
      table.remove(index)
      update(table)
    case .scanStarted(let notice): _ = change(notice) { $0.started(at: now) }
    case .scanFinished(let notice):
      if let radio = change(notice, { $0.finished(at: now) }) { reader.request(radio) }
    case .scanAborted(let notice):
      if let radio = change(notice, { $0.aborted(at: now) }) { reader.request(radio) }
    case .acknowledged, .refused, .listEnded, .overrun, .family, .accessPoint: break
    }
  }

  /// Changes the plan of the radio that a scan belongs to; returns its number. Lists all interfaces again if the radio is
  /// unknown.
  private mutating func change(_ notice: ScanEvent, _ body: (inout ScanPlan) -> Void) -> UInt32? {
    guard let table else { return nil }
    let radio = notice.interfaceIndex.flatMap { table.interface($0)?.radioIndex } ?? notice.radioIndex
    guard let radio, var plan = plans[radio] else {
      reader.wantInterfaces()
      return nil
    }
    body(&plan)
    plans[radio] = plan
    return radio
  }

  private mutating func lose(at now: Instant) {
    reader.lose(at: now)
    if case .open = link { readAllSoon(at: now) }
  }

  // MARK: Lists

  private mutating func finish(_ outcome: ListReader.Outcome, at now: Instant, _ actions: inout [Action]) {
    switch outcome {
    case .interfaces(let found):
      failures = 0
      update(found)
      for radio in found.radios { reader.request(radio) }
    case .accessPoints(let radio, let entries):
      let filter = AccessPointFilter(maximumAge: maximumAge, ownAddresses: table?.addresses ?? [])
      let observations = entries.compactMap { filter.observation($0, at: now) }
      plans[radio]?.listed(observations, isOnNetwork: entries.contains { $0.status != nil }, at: now)
      received[radio] = observations
      let optedOut = Set(entries.filter(AccessPointFilter.hasOptedOut).map(\.bssid))
      if !optedOut.isEmpty { actions.append(.optedOut(optedOut)) }
      actions.append(.received(allReceived(at: now).filter { !optedOut.contains($0.bssid) }))
    case .gone, .failed: readAllSoon(at: now)
    }
  }

  /// If several radios receive one access point, the newest observation counts.
  private func allReceived(at now: Instant) -> [AccessPointObservation] {
    guard received.count > 1 else { return received.first?.value ?? [] }
    var newest: [BSSID: AccessPointObservation] = [:]
    for observation in received.values.joined() where now - observation.receivedAt <= maximumAge {
      if let other = newest[observation.bssid], other.receivedAt >= observation.receivedAt { continue }
      newest[observation.bssid] = observation
    }
    return newest.values.sorted { $0.bssid < $1.bssid }
  }

  private mutating func readAllSoon(at now: Instant) {
    guard readAllAt == nil else { return }
    readAllAt = now + .seconds(1 << failures)
    failures = min(failures + 1, Self.mostDoublings)
  }

  /// Replaces the table of interfaces.
  private mutating func update(_ interfaces: RadioTable) {
    table = interfaces
    let radios = Set(interfaces.radios)
    for radio in plans.keys where !radios.contains(radio) { (plans[radio], received[radio]) = (nil, nil) }
    for radio in radios where plans[radio] == nil { plans[radio] = ScanPlan() }
    atHelper.removeAll { !radios.contains($0.radio) }
    atKernel.removeAll { !radios.contains($0.radio) }
  }

  // MARK: Scans

  private mutating func helperAnswered(
    _ interface: UInt32, _ errno: Int32?, at now: Instant, _ actions: inout [Action]
  ) {
    guard let place = atHelper.firstIndex(where: { $0.interface == interface }) else { return }
    let scan = atHelper.remove(at: place)
    if let errno { return answered(scan.radio, errno: errno, at: now) }
    guard case .open(let family) = link else { return }
    let number = numbers.next()
    atKernel.append((number, scan.radio))
    actions.append(
      .send(
        NetlinkRequest.scan(family: family, sequence: number, interface: interface, frequencies: scan.frequencies)))
  }

  private mutating func answered(_ radio: UInt32, errno: Int32, at now: Instant) {
    plans[radio]?.answered(errno: errno, at: now)
    if errno == KernelErrno.noSuchDevice { readAllSoon(at: now) }
  }

  private mutating func pass(at now: Instant, _ actions: inout [Action]) {
    if case .resolving(_, let deadline) = link, deadline <= now { link = .unavailable(.noAnswer) }
    if let outcome = reader.pass(at: now) { finish(outcome, at: now, &actions) }
    if let readAllAt, readAllAt <= now {
      self.readAllAt = nil
      reader.wantInterfaces()
    }
  }

  // MARK: Problems

  private func judge() -> RadioCapability {
    switch link {
    case .closed, .resolving: return .starting
    case .unavailable(let problem): return .deaf(problem)
    case .open: break
    }
    guard let table else { return .starting }
    let problems = table.radios.map { problem(of: $0, table) }
    guard let first = problems.first else { return .deaf(.noRadio) }
    return .listening(problems.contains(nil) ? nil : first)
  }

  private func problem(of radio: UInt32, _ table: RadioTable) -> RadioProblem? {
    if let own = table.accessPoint(on: radio) { return .servesOthers(name: own.name.string) }
    let name = table.reader(of: radio)?.name.string ?? ""
    guard table.scanner(of: radio) != nil else { return .refused(name: name, errno: KernelErrno.notSupported) }
    switch plans[radio]?.problem {
    case .noPrivilege?: return .noPrivilege
    case .interfaceDown?: return .interfaceDown(name: name)
    case .refused(let errno)?: return .refused(name: name, errno: errno)
    case nil: return nil
    }
  }
}
