package import Geodesy
package import WireFormats

/// Everything that this machine's radios hear, whoever has them scan: follows interfaces as they come and go, reads the kernel's
/// list whenever a scan is over, and asks for a passive scan where one is wanted and nobody else has asked for one.
package struct ScanRadio: Sendable {
  package enum Input: Hashable, Sendable {
    /// The socket is open.
    case start
    case received(NetlinkEnvelope, NetlinkMessage)
    /// The socket has lost messages.
    case lost
    /// Scans are wanted.
    case wanted(ScanWish)
    /// What is known now is wanted, from the kernel's list.
    case list
    /// What the helper has said: `errno`, 0 where the scan has begun; `nil`: there is none that answers.
    case helperAnswered(interface: UInt32, errno: Int32?)
    case deadlinePassed
  }

  package enum Action: Hashable, Sendable {
    /// One message to the kernel.
    case send([UInt8])
    /// Hear what the kernel tells this group.
    case join(group: UInt32)
    /// From now on that is nl80211's number.
    case know(family: UInt16)
    /// Have whoever has the privilege start a passive scan on these channels, MHz; none: all.
    case askHelper(interface: UInt32, frequencies: [UInt32])
    /// All that the radios hear and that may be used.
    case heard([AccessPointSighting])
    /// Who asks to be left out of everything, as is heard now.
    case optedOut(Set<BSSID>)
    case outlook(RadioOutlook)
  }

  private enum Link {
    case closed
    /// Asked for the family's number.
    case resolving(sequence: UInt32, deadline: Instant)
    case unavailable(RadioProblem)
    case open(family: UInt16)
  }

  /// The controller's own group, which hears of families that come: its number is the controller's (net/netlink/genetlink.c).
  private static let controllerGroup: UInt32 = 0x10
  /// Lists that were lost are read anew after 1 s, and after twice that time each time it is in vain, up to 64 s.
  private static let mostDoublings = 6

  private let maximumAge: Duration
  private var link = Link.closed
  private var numbers = NetlinkSequence()
  private var reader = ListReader()
  /// `nil` until the interfaces were listed.
  private var table: RadioTable?
  private var plans: [UInt32: ScanPlan] = [:]
  private var wish = ScanWish()
  /// What each radio has heard last.
  private var heard: [UInt32: [AccessPointSighting]] = [:]
  /// When to read all anew, and how often that has failed.
  private var readAllAt: Instant?
  private var failures = 0
  /// Scans that the helper was asked for, and those that the kernel was; at most one a radio.
  private var atHelper: [(interface: UInt32, radio: UInt32, frequencies: [UInt32])] = []
  private var atKernel: [(sequence: UInt32, radio: UInt32)] = []
  /// What was told last.
  package private(set) var outlook = RadioOutlook.starting

  /// - Parameter maximumAge: what was heard longer ago is not told.
  package init(maximumAge: Duration) { self.maximumAge = maximumAge }

  /// When to call with `.deadlinePassed`.
  package var nextDeadline: Instant? {
    var deadlines = plans.compactMap { $1.nextDeadline(wish(of: $0)) }
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
      // Hundreds of them come, and none changes anything but the list.
      if let outcome = reader.take(envelope, .accessPoint(entry), at: now) {
        finish(outcome, at: now, &actions)
        break
      }
      return []
    case .received(let envelope, let message): receive(envelope, message, at: now, &actions)
    case .lost: lose(at: now)
    case .wanted(let new):
      wish = new
      for radio in plans.keys { plans[radio]?.wantedAnew() }
    case .list: for radio in table?.radios ?? [] { reader.want(radio) }
    case .helperAnswered(let interface, let errno): helperAnswered(interface, errno, at: now, &actions)
    case .deadlinePassed: pass(at: now, &actions)
    }
    goOn(at: now, &actions)
    return actions
  }

  /// Whatever has come: the next list, the next scan, and what there is to be told.
  private mutating func goOn(at now: Instant, _ actions: inout [Action]) {
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
    let wish = wish(of: radio)
    guard let step = plans[radio]?.step(wish, at: now), let interface = table?.scanner(of: radio)?.index else { return }
    switch step {
    case .look: reader.want(radio)
    case .scan(let frequencies):
      atHelper.append((interface, radio, frequencies))
      actions.append(.askHelper(interface: interface, frequencies: frequencies))
    }
  }

  /// How often a radio is to scan on its own: never where it has others to serve.
  private func wish(of radio: UInt32) -> ScanWish { table?.scanner(of: radio) == nil ? ScanWish() : wish }

  // MARK: The family

  private mutating func start(at now: Instant, _ actions: inout [Action]) {
    guard case .closed = link else { return }
    let number = numbers.next()
    link = .resolving(sequence: number, deadline: now + ScanDump.patience)
    actions += [.join(group: Self.controllerGroup), .send(NetlinkRequest.family(sequence: number))]
  }

  /// It is there, or its first driver has been loaded.
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
    } else if let outcome = reader.take(envelope, message, at: now) {
      finish(outcome, at: now, &actions)
    }
  }

  /// What was not asked for.
  private mutating func note(_ message: NetlinkMessage, at now: Instant) {
    switch message {
    case .interface(let interface):
      guard var table else { return }
      if table.reader(of: interface.radioIndex) == nil { reader.want(interface.radioIndex) }
      table.note(interface)
      take(table)
    case .interfaceGone(let index):
      guard var table else { return }
      table.remove(index)
      take(table)
    case .scanStarted(let notice): _ = change(notice) { $0.started(at: now) }
    case .scanFinished(let notice):
      if let radio = change(notice, { $0.finished(at: now) }) { reader.want(radio) }
    case .scanAborted(let notice):
      if let radio = change(notice, { $0.aborted(at: now) }) { reader.want(radio) }
    case .acknowledged, .refused, .listEnded, .overrun, .family, .accessPoint: break
    }
  }

  /// Changes the plan of the radio that a scan is of; its number. Where nobody has told of it, all are listed anew.
  private mutating func change(_ notice: ScanNotice, _ body: (inout ScanPlan) -> Void) -> UInt32? {
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
      take(found)
      for radio in found.radios { reader.want(radio) }
    case .accessPoints(let radio, let entries):
      let filter = SightingFilter(maximumAge: maximumAge, ownAddresses: table?.addresses ?? [])
      let sightings = entries.compactMap { filter.sighting($0, at: now) }
      plans[radio]?.listed(sightings, isOnNetwork: entries.contains { $0.status != nil }, at: now)
      heard[radio] = sightings
      let optedOut = Set(entries.filter(SightingFilter.asksToBeLeftOut).map(\.bssid))
      if !optedOut.isEmpty { actions.append(.optedOut(optedOut)) }
      actions.append(.heard(allHeard(at: now).filter { !optedOut.contains($0.bssid) }))
    case .gone, .failed: readAllSoon(at: now)
    }
  }

  /// Of one that several radios hear, what was heard last.
  private func allHeard(at now: Instant) -> [AccessPointSighting] {
    guard heard.count > 1 else { return heard.first?.value ?? [] }
    var newest: [BSSID: AccessPointSighting] = [:]
    for sighting in heard.values.joined() where now - sighting.heardAt <= maximumAge {
      if let other = newest[sighting.bssid], other.heardAt >= sighting.heardAt { continue }
      newest[sighting.bssid] = sighting
    }
    return newest.values.sorted { $0.bssid < $1.bssid }
  }

  private mutating func readAllSoon(at now: Instant) {
    guard readAllAt == nil else { return }
    readAllAt = now + .seconds(1 << failures)
    failures = min(failures + 1, Self.mostDoublings)
  }

  /// The interfaces as they are now.
  private mutating func take(_ interfaces: RadioTable) {
    table = interfaces
    let radios = Set(interfaces.radios)
    for radio in plans.keys where !radios.contains(radio) { (plans[radio], heard[radio]) = (nil, nil) }
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

  // MARK: What is wrong

  private func judge() -> RadioOutlook {
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
