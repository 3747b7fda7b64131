import GNSSReceiver
import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationIPC
import LocationdService
package import TimeService

/// The time of the machine's receivers for its clocks: receives the arrival of their bytes and their epochs, and sends samples to clock
/// daemons.
///
/// It has no timers: all its work is done with the epochs of a receiver. While it is off it does nothing, and keeps no receiver open.
package final class TimeFeed {
  private let loop: EventLoop
  private unowned let runner: ServiceRunner
  private let store: DelayStore?
  private let helper: TimeHelperLink
  private let pulses: PulseDevices
  let sender: TimeSender
  var settings = TimeSettings()
  var receivers: [LinkID: TimedReceiver] = [:]
  private(set) var table = CalibrationTable()
  /// When the user has asked for a calibration; `nil`: none is running.
  private(set) var calibrationBegan: Instant?
  /// What is known of the system's clock; `nil`: the helper has not answered.
  private var circumstances: ClockCircumstances?
  private var askedAt: Instant?
  private var isHelperMissing = false
  /// How often in a row it has not answered about the clock.
  private var unanswered = 0
  /// Why the clock is not set until the next boot; `nil`: it may be.
  private var lastRefusal: ClockRefusal?
  /// Whether the system has refused to set the clock: another attempt would fail too.
  private var hasClockFailed = false
  /// The receivers at which interference is suspected.
  private var interfered: Set<LinkID> = []
  private var isRunning = false
  /// What is worth a line in the journal.
  package var onEvent: ((TimeEvent) -> Void)?
  /// A moment by a receiver's time, if it may be passed on: for programs that want it without a clock daemon.
  package var onSample: ((TimeSample, _ path: String) -> Void)?

  /// A calibration that has no reference ends after this.
  private static let longestCalibration: Duration = .seconds(3600)
  private static let clockInterval: Duration = .seconds(60)
  /// So often the helper, which systemd starts, may not answer before receivers are no longer kept open for it.
  private static let mostUnanswered = 3
  private static let unansweredInterval: Duration = .seconds(3)
  /// A little less than a second, because epochs are not perfectly regular.
  private static let pulseInterval: Duration = .milliseconds(900)
  /// A shorter silence is part of a burst at every rate (`BurstStamp`).
  private static let shortestSilence: Duration = .milliseconds(5)

  /// - Parameters:
  ///   - stateFolder: where measured delays are stored; `nil`: nowhere.
  ///   - helper: the socket of the privileged helper.
  ///   - tree: the tree with `/sys`.
  package init(
    loop: EventLoop, runner: ServiceRunner, stateFolder: String?, helper: String = TimeHelperLink.systemSocket,
    tree: FileTree = FileTree()
  ) {
    (self.loop, self.runner) = (loop, runner)
    store = stateFolder.map(DelayStore.init(folder:))
    let link = TimeHelperLink(loop: loop, path: helper)
    self.helper = link
    sender = TimeSender(loop: loop, helper: link)
    pulses = PulseDevices(tree: tree)
    sender.onChange = { [unowned self] in onEvent?(.sink($0)) }
  }

  /// Applies the settings, from the start on.
  package func apply(_ settings: TimeSettings) {
    if settings.delaySeconds != self.settings.delaySeconds { receivers = [:] }
    self.settings = settings
    sender.apply(settings)
    for id in receivers.keys {
      receivers[id]?.pulseReadAt = nil
      receivers[id]?.pulse = nil
    }
    (lastRefusal, hasClockFailed) = (nil, false)
    (isHelperMissing, unanswered) = (false, 0)
    circumstances = nil
    askedAt = nil
    // The helper reads the settings again for a new connection.
    helper.close()
    run(settings.isActive)
  }

  private func run(_ isWanted: Bool) {
    guard isWanted != isRunning else { return }
    isRunning = isWanted
    loop.measuresLateness = isWanted
    if isWanted { table = store?.load() ?? CalibrationTable() } else { stop() }
    runner.handle(.setTiming(isWanted))
  }

  private func stop() {
    receivers = [:]
    interfered = []
    calibrationBegan = nil
    helper.close()
  }

  // MARK: - Receivers

  /// Bytes have arrived at a port, before they are decoded.
  func arrived(_ count: Int, on id: LinkID, baudRate: Int?, wasLeftUnread: Bool) {
    guard isRunning, let index = prepare(id, baudRate: baudRate) else { return }
    let now = loop.now
    let isStart = receivers[index]?.lastByteAt.map { now - $0 >= Self.shortestSilence } ?? true
    receivers[index]?.lastByteAt = now
    // Within a burst only the order of its reads counts.
    var reading = ClockReading(system: GNSSTime(nanosecondsSince1970: 0), monotonic: now, rawNanoseconds: 0)
    if isStart {
      let clocks = ClockReadings.now()
      reading = ClockReading(
        system: clocks.system, monotonic: clocks.monotonic, rawNanoseconds: clocks.rawNanoseconds
      ).earlier(by: clocks.monotonic - now)
    }
    _ = receivers[index]?.machine.handle(
      .bytes(
        BurstStamp.Arrival(
          byteCount: count, reading: reading, lateness: loop.lateness, wasLeftUnread: wasLeftUnread)), at: now)
  }

  /// The port of a receiver is closed.
  func closed(_ id: LinkID) {
    receivers[id] = nil
    suspect(false, at: id)
  }

  /// Finds the receiver of a link, or begins with it; `nil`: its time is not wanted.
  private func prepare(_ id: LinkID, baudRate: Int?) -> LinkID? {
    if let known = receivers[id] {
      if known.port.hasLine, known.baudRate != baudRate {
        receivers[id] = known.restarted(
          baudRate: baudRate, identity: known.identity, table: table, settings: settings)
      }
      return id
    }
    guard let device = runner.openPorts.first(where: { $0.id == id })?.device else { return nil }
    receivers[id] = TimedReceiver(
      path: device.path, baudRate: baudRate, identity: device.hasStableID ? device.id : nil, table: table,
      settings: settings)
    if let calibrationBegan { _ = receivers[id]?.machine.handle(.calibrate(true), at: calibrationBegan) }
    if let circumstances { handle(.circumstances(circumstances), of: id) }
    if !interfered.isEmpty { handle(.interference(true), of: id) }
    return id
  }

  /// Receives what a receiver reports.
  func receive(_ report: TimingReport, of id: LinkID) {
    guard isRunning, receivers[id] != nil else { return }
    let now = loop.now
    switch report {
    case .leapSeconds(let leap):
      receivers[id]?.leap = leap
      execute(receivers[id]?.machine.handle(.leapSeconds(leap), at: now), of: id)
    case .nextPulse(let pulse): execute(receivers[id]?.machine.handle(.nextPulse(pulse), at: now), of: id)
    case .epoch(let epoch): receive(epoch, of: id, at: now)
    }
  }

  private func receive(_ epoch: GNSSEpoch, of id: LinkID, at now: Instant) {
    guard let timing = epoch.timing else { return }
    if let receiver = epoch.ownIdentity ?? epoch.receiver, let known = receivers[id], known.identity != receiver {
      receivers[id] = known.restarted(
        baudRate: known.baudRate, identity: receiver, table: table, settings: settings)
      if calibrationBegan != nil { _ = receivers[id]?.machine.handle(.calibrate(true), at: now) }
    }
    readPulse(of: id, at: now)
    readClock(of: id, at: now)
    guard let evidence = receivers[id]?.evidence(epoch, hasEraFloor: runner.eraFloor != nil, at: now) else { return }
    execute(
      receivers[id]?.machine.handle(
        .epoch(evidence, beganAt: timing.beganAt, firstMessage: timing.firstMessage.flatMap { FirstMessage($0) }),
        at: now), of: id)
  }

  private func readPulse(of id: LinkID, at now: Instant) {
    guard let receiver = receivers[id], receiver.pulseReadAt.map({ now - $0 >= Self.pulseInterval }) ?? true else {
      return
    }
    let device =
      receiver.pulse
      ?? pulses.device(of: receiver.tty, settings.pulse, isOnlyReceiver: receivers.count == 1)
    receivers[id]?.pulseReadAt = now
    receivers[id]?.pulse = device
    guard let device else { return }
    execute(receivers[id]?.machine.handle(.pulse(pulses.reading(of: device)), at: now), of: id)
  }

  private func readClock(of id: LinkID, at now: Instant) {
    if receivers[id]?.clockReadAt.map({ now - $0 >= Self.clockInterval }) ?? true {
      receivers[id]?.clockReadAt = now
      execute(
        receivers[id]?.machine.handle(
          .systemClock(maximumError: WallClock.error, lastSampleSentAt: sender.lastSentAt), at: now), of: id)
    }
    if let calibrationBegan, now - calibrationBegan >= Self.longestCalibration { calibrate(false) }
    let interval = (1..<Self.mostUnanswered).contains(unanswered) ? Self.unansweredInterval : Self.clockInterval
    guard settings.setsClock, askedAt.map({ now - $0 >= interval }) ?? true else { return }
    askAboutClock(at: now)
  }

  private func execute(_ actions: [ReceiverTime.Action]?, of id: LinkID) {
    for action in actions ?? [] {
      switch action {
      case .send(let sample):
        guard let receiver = receivers[id] else { continue }
        onSample?(sample, receiver.path)
        guard settings.sinks != .off else { continue }
        receivers[id]?.samples += 1
        sender.send(sample, tty: receiver.tty)
      case .calibrated(let key, let delay): keep(delay, for: key)
      case .pulses(let change): if let path = receivers[id]?.path { onEvent?(.pulses(change, path: path)) }
      case .clock(.interference(let isSuspected)): suspect(isSuspected, at: id)
      case .clock(let input): handle(input, of: id)
      }
    }
  }

  // MARK: - Delays

  private func keep(_ delay: ReceiverDelay, for key: CalibrationKey) {
    let isNew = !table.entries.contains { $0.key == key }
    table.store(delay, for: key)
    let isAsked = calibrationBegan != nil
    store?.save(table, isUrgent: isNew || isAsked, at: loop.now)
    if isAsked { calibrate(false) }
  }

  /// Begins or ends a calibration that the user has asked for. `false`: there is no time at all.
  @discardableResult
  package func calibrate(_ isWanted: Bool) -> Bool {
    guard isRunning else { return false }
    calibrationBegan = isWanted ? loop.now : nil
    for id in receivers.keys { _ = receivers[id]?.machine.handle(.calibrate(isWanted), at: loop.now) }
    return true
  }

  // MARK: - The system's clock

  private func askAboutClock(at now: Instant) {
    askedAt = now
    helper.send(.circumstances) { [weak self] answer in
      guard let self else { return }
      guard case .circumstances(var known)? = answer else {
        isHelperMissing = true
        unanswered += 1
        if unanswered == Self.mostUnanswered { giveUpClock() }
        return
      }
      (isHelperMissing, unanswered) = (false, 0)
      known.isEnabled = known.isEnabled && settings.setsClock
      known.buildDate = BuildDate.date
      known.lastGoodTime = runner.lastGoodTime
      circumstances = known
      for id in receivers.keys { handle(.circumstances(known), of: id) }
    }
  }

  /// Interference at one receiver may be at all of them: no receiver sets the clock before the last suspicion has ended.
  private func suspect(_ isSuspected: Bool, at id: LinkID) {
    let wasAny = !interfered.isEmpty
    if isSuspected { interfered.insert(id) } else { interfered.remove(id) }
    guard interfered.isEmpty == wasAny else { return }
    for other in receivers.keys { handle(.interference(isSuspected), of: other) }
  }

  private func handle(_ input: ClockSetter.Input, of id: LinkID) {
    guard settings.setsClock, !hasClockFailed else { return }
    for action in receivers[id]?.setter.handle(input, at: loop.now) ?? [] {
      switch action {
      case .refused(let refusal):
        receivers[id]?.refusal = refusal
        // The helper has answered that it has no right to set the clock.
        if refusal == .disabled, circumstances?.isEnabled == false { giveUpClock() }
        guard refusal.isFinal else { continue }
        lastRefusal = refusal
        // The clock is right, or never set by this service: nothing is left to do.
        finishSoon()
      case .set(let change): set(change, for: id)
      }
    }
    if case .circumstances(let known) = input { receivers[id]?.refusal = known.refusal }
  }

  private func set(_ change: ClockChange, for id: LinkID) {
    helper.send(.setClock(change.offset)) { [weak self] answer in
      guard let self else { return }
      var result: TimeAnswer.Result?
      if case .clock(let ending)? = answer { result = ending }
      switch result {
      case .done?: onEvent?(.clockSet(change))
      case .refused(let refusal)?: onEvent?(.clockNotSet(refusal))
      case .failed(let errno)?:
        hasClockFailed = true
        onEvent?(.clockFailed(errno: errno))
        finishSoon()
      case nil: isHelperMissing = true
      }
      handle(.finished(isSet: result == .done), of: id)
      // Each receiver may have decided the same.
      askAboutClock(at: loop.now)
    }
  }

  /// The clock cannot be set before the settings or the helper change: no receiver is kept open for it.
  private func giveUpClock() {
    guard lastRefusal == nil else { return }
    lastRefusal = .disabled
    onEvent?(.clockNotSettable(hasHelper: !isHelperMissing))
    finishSoon()
  }

  /// After this turn, because it closes the receivers.
  private func finishSoon() {
    guard settings.sinks == .off else { return }
    loop.schedule(at: loop.now) { [weak self] in
      guard let self, settings.sinks == .off, lastRefusal != nil || hasClockFailed else { return }
      run(false)
    }
  }

  // MARK: - Status

  /// The state of the time; `nil`: it is off.
  package var report: TimeReport? {
    guard settings.isActive else { return nil }
    var report = TimeReport()
    report.receivers = receivers.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      $0.value.report(isCalibrating: calibrationBegan != nil, at: loop.now)
    }
    report.sinks = sender.reports
    if settings.sinks.chrony, !report.sinks.contains(where: { $0.name == settings.socket }) {
      report.sinks.insert(TimeSinkReport(name: settings.socket, state: .unused), at: 0)
    }
    if settings.setsClock { report.clock = clockState }
    return report
  }

  private var clockState: ClockSettingState {
    if isHelperMissing { return .noHelper }
    if hasClockFailed { return .disabled }
    let refusal = lastRefusal ?? circumstances?.refusal ?? receivers.values.compactMap(\.refusal).first
    return switch refusal {
    case nil: .waiting
    case .disabled?: .disabled
    case .alreadySet?: .done
    case .leftToChrony?: .leftToChrony
    case .keptByOther?: .keptByOther
    case .interference?: .interference
    case .smallError?: .smallError
    case .tooFarBack?: .tooFarBack
    case .implausible?: .implausible
    }
  }
}

/// What happens to the time for clocks, for the journal.
package enum TimeEvent: Hashable, Sendable {
  case sink(TimeSinkReport)
  case pulses(PulseMonitor.Action, path: String)
  case clockSet(ClockChange)
  case clockNotSet(ClockRefusal)
  case clockFailed(errno: Int32)
  /// The helper may not set it, or does not answer.
  case clockNotSettable(hasHelper: Bool)
}

extension ClockRefusal {
  /// Whether it stays until the next boot.
  fileprivate var isFinal: Bool {
    switch self {
    case .alreadySet, .leftToChrony, .keptByOther, .smallError: true
    case .disabled, .interference, .tooFarBack, .implausible: false
    }
  }
}
