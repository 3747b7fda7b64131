import Fleet
import FleetDestinations
package import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// The destinations to which positions are sent: stores their list, and runs the outbox of each, as an internal client of the service.
package final class FleetService {
  private static let updates = RequestID(1)
  private static let watch = RequestID(2)

  private let settings: Settings
  private let clock: any FleetClock
  private let report: (FleetServiceReport) -> Void
  private var senders: [FleetSender] = []
  private var links: UInt64 = 0
  private var clients = 0
  private var present: Instant
  private var lastAccount: [FleetReport] = []
  /// Events that could not be recorded, in their order: the disk is full, or the time is not known.
  private var unrecorded: [(happening: FleetHappening, userID: UInt32)] = []
  private var triesAgainAt: Instant?
  /// The most of them; the monitoring stores the others, which are recorded after the next start.
  private static let mostUnrecorded = 1000
  /// Interval between attempts to record them.
  private static let rest: Duration = .seconds(10)

  package init(
    _ settings: Settings, clock: any FleetClock, at now: Instant, report: @escaping (FleetServiceReport) -> Void
  ) {
    (self.settings, self.clock, self.report, present) = (settings, clock, report, now)
  }

  /// When `wake` is due.
  package var nextDeadline: Instant? { Instant.earlier(senders.compactMap(\.nextDeadline).min(), triesAgainAt) }

  package func handle(_ order: FleetOrder, at now: Instant) {
    present = now
    switch order {
    case .begin: begin()
    case .request(let request, let id, let client): handle(request, id, from: client)
    case .left(let client): for sender in senders { sender.forget(client) }
    case .event(let event, let reduced, let client): receive(event, reduced, for: client)
    case .happened(let happening, let user): receive(happening, ofUser: user)
    case .helper(let link, let message, let inflow):
      inflow.handled()
      senders.first { $0.link == link }?.receive(message, at: now)
    case .networkChanged: for sender in senders { sender.networkChanged(at: now) }
    case .describe: describe(isForced: true)
    case .end:
      for sender in senders { sender.end(at: now) }
      senders = []
    }
    removeFinished()
    describe(isForced: false)
  }

  package func wake(at now: Instant) {
    present = now
    for sender in senders where sender.nextDeadline.map({ $0 <= now }) ?? false { sender.wake(at: now) }
    if let triesAgainAt, triesAgainAt <= now { recordUnrecorded() }
    removeFinished()
    describe(isForced: false)
  }

  // MARK: - Life

  private func begin() {
    guard settings.sends, senders.isEmpty else { return }
    for name in ((try? PrivateFolder.folders(in: settings.folder)) ?? []).sorted().prefix(
      FleetDestination.mostDestinations)
    where FleetDestination.isName(name) {
      guard let bytes = try? StateFile.read(path(of: name), maximumSize: FleetDestination.longestText),
        let text = String(validating: bytes, as: UTF8.self), let destination = try? FleetDestination(text: text),
        destination.name == name
      else {
        report(.event(.unreadable(path: path(of: name))))
        continue
      }
      do throws(TrackError) {
        try open(destination)
      } catch {
        report(.event(.cannotKeep(path: folder(of: name), reason: "\(error)")))
      }
    }
  }

  private func folder(of name: String) -> String { "\(settings.folder)/\(name)" }
  private func path(of name: String) -> String { "\(folder(of: name))/destination" }

  private func open(_ destination: FleetDestination) throws(TrackError) {
    clients += 1
    let client = ClientID.fleet(clients)
    // Without a key no reduced position can be made: the destination is not opened.
    guard settings.hasGrid || !destination.settings.isReduced else { throw .noKey }
    let sender = try FleetSender(
      destination, in: folder(of: destination.name), of: settings.stateFolder, client: client, machine: Self.machine,
      release: settings.release, clock: clock, at: present,
      newLink: { [unowned self] in
        links += 1
        return FleetLinkID(links)
      }, report: report)
    senders.append(sender)
    // What was recorded before may be more than what is granted now.
    report(.ask(.authorization(Self.watch, .watch), by: client, for: destination.name))
    if destination.settings.isReduced { report(.reduces(client)) }
    let options = UpdateOptions(waitsForSource: true, whenNotDetermined: .waits)
    report(.ask(.startUpdates(Self.updates, options), by: client, for: destination.name))
    sender.begin(at: present)
  }

  /// The machine's identifier (machine-id(5)), hashed, because it must not leave the machine as it is.
  private static let machine: String = {
    let bytes = (try? StateFile.read("/etc/machine-id", maximumSize: 64)) ?? []
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }()

  private func close(_ sender: FleetSender) {
    sender.end(at: present)
    senders.removeAll { $0 === sender }
    report(.left(sender.client))
  }

  /// Returns without a reference to the sender, which locks its outbox as long as there is one.
  private func close(named name: String) {
    if let sender = senders.first(where: { $0.destination.name == name }) { close(sender) }
  }

  private func removeFinished() {
    for sender in senders where sender.isFinished { remove(sender) }
  }

  private func remove(_ sender: FleetSender) {
    let name = sender.destination.name
    sender.withdraw()
    close(sender)
    report(.granted(false, name: name))
    do throws(SystemError) {
      try FleetFolder.remove(folder(of: name))
    } catch {
      report(.event(.cannotKeep(path: folder(of: name), reason: error.description)))
    }
  }

  // MARK: - Requests

  private func handle(_ request: FleetRequest, _ id: RequestID, from client: ClientID) {
    guard settings.sends else { return answer(.failed(id, .fleet(.needsDaemon)), to: client) }
    do throws(FleetFailure) {
      switch request {
      case .list: return answer(.fleet(id, .destinations(account)), to: client)
      case .add(let destination): try add(destination)
      case .change(let name, let text, let backlog): try change(sender(name).destination, text, backlog)
      case .remove(let name, let discards):
        let sender = try sender(name)
        if discards {
          remove(sender)
        } else {
          try storing { () throws(SystemError) in try sender.endWhenEmpty(at: present) }
        }
      case .pause(let name, let duration):
        let sender = try sender(name)
        var pause = FleetPause.indefinitely
        if let duration {
          guard let now = clock.now.time else { throw FleetFailure.noClock }
          pause = .until(now + duration)
        }
        try storing { () throws(SystemError) in try sender.pause(pause, at: present) }
      case .resume(let name):
        let sender = try sender(name)
        try storing { () throws(SystemError) in try sender.pause(.none, at: present) }
      case .test(let name): return try sender(name).test(id, for: client, at: present)
      case .send(let name): return try sender(name).confirm(id, for: client, at: present)
      }
      answer(.done(id), to: client)
    } catch {
      answer(.failed(id, .fleet(error)), to: client)
    }
  }

  private func answer(_ event: ServiceEvent, to client: ClientID) { report(.answer(event, to: client)) }

  private func sender(_ name: String) throws(FleetFailure) -> FleetSender {
    guard let sender = senders.first(where: { $0.destination.name == name }) else {
      throw .unknown(name: name, known: senders.map(\.destination.name).sorted())
    }
    return sender
  }

  private func add(_ destination: FleetDestination) throws(FleetFailure) {
    let name = destination.name
    if senders.contains(where: { $0.destination.name == name }) { throw .exists(name: name) }
    if senders.count >= FleetDestination.mostDestinations {
      throw .tooMany(limit: FleetDestination.mostDestinations)
    }
    try store(destination)
    report(.granted(true, name: name))
    try reopen(destination)
  }

  /// Changes some settings; the others stay as they are. What was recorded for one server is not sent to another one unless the
  /// administrator says so.
  private func change(
    _ old: FleetDestination, _ text: String, _ backlog: FleetRequest.Backlog?
  ) throws(FleetFailure) {
    let destination: FleetDestination
    do throws(FleetSettingsError) {
      destination = try old.changed(by: text)
    } catch {
      throw .invalid(error)
    }
    let waiting = try sender(old.name).outbox.waiting
    if waiting > 0, backlog == nil, !destination.address.isSameServer(as: old.address) {
      throw .otherServer(waiting: waiting)
    }
    try store(destination)
    // A change of the settings does not bring back an access that was revoked.
    close(named: old.name)
    if backlog == .discarded {
      try storing { () throws(SystemError) in try FleetFolder.discardBacklog(folder(of: old.name)) }
    }
    try reopen(destination)
  }

  private func store(_ destination: FleetDestination) throws(FleetFailure) {
    let name = destination.name
    try storing { () throws(SystemError) in
      try PrivateFolder.make(settings.folder)
      try PrivateFolder.make(folder(of: name))
      try StateFile.write(path(of: name), Array(destination.text.utf8))
    }
  }

  private func reopen(_ destination: FleetDestination) throws(FleetFailure) {
    do throws(TrackError) {
      try open(destination)
    } catch {
      throw .cannotKeep(path: folder(of: destination.name), reason: "its outbox cannot be opened")
    }
  }

  private func storing(_ body: () throws(SystemError) -> Void) throws(FleetFailure) {
    do throws(SystemError) {
      try body()
    } catch {
      throw .cannotKeep(path: settings.folder, reason: error.description)
    }
  }

  // MARK: - Positions

  private func receive(_ event: ServiceEvent, _ reduced: PositionFix?, for client: ClientID) {
    guard let sender = senders.first(where: { $0.client == client }) else { return }
    switch event {
    case .update(_, let fix, _): sender.receive(fix, reduced: reduced, at: present)
    case .streamChanged(_, .suspended): sender.setGranted(false, at: present)
    case .streamChanged(_, .resumed): sender.setGranted(true, at: present)
    case .authorization(_, .state(let state)):
      let authorization = state.authorization
      sender.setGranted(authorization.allows(state.presence), isReduced: authorization.isReduced, at: present)
    default: break
    }
  }

  // MARK: - Events

  private func receive(_ happening: FleetHappening, ofUser user: UInt32) {
    guard !unrecorded.contains(where: { $0.happening.number == happening.number }) else { return }
    // Events keep their order.
    if unrecorded.isEmpty, record(happening, ofUser: user) { return }
    guard unrecorded.count < Self.mostUnrecorded else { return }
    var happening = happening
    // Some destinations may have it.
    happening.isRepeated = true
    unrecorded.append((happening, user))
    if triesAgainAt == nil { triesAgainAt = present + Self.rest }
  }

  private func recordUnrecorded() {
    while let first = unrecorded.first, record(first.happening, ofUser: first.userID) { unrecorded.removeFirst() }
    triesAgainAt = unrecorded.isEmpty ? nil : present + Self.rest
  }

  /// Whether all destinations that take an event have it on the disk.
  private func record(_ happening: FleetHappening, ofUser user: UInt32) -> Bool {
    var isRecorded = true
    for sender in senders where sender.destination.settings.eventUsers.contains(user) {
      if !sender.receive(happening, at: present) { isRecorded = false }
    }
    if isRecorded { report(.recorded(event: happening.number)) }
    return isRecorded
  }

  // MARK: - Description

  private var account: [FleetReport] { senders.map(\.description).sorted { $0.name < $1.name } }

  private func describe(isForced: Bool) {
    let account = account
    guard isForced || account != lastAccount else { return }
    lastAccount = account
    report(.account(account))
  }
}
