package import Diagnosis
package import Geodesy
package import LocationIPC
package import LocationdService

/// Examines the output of every receiver that the service opens, for a diagnosis.
package final class ReceiverExaminer: PortObserver {
  package let forbidsWriting = true
  package let wantsBytesAlone = false

  private struct Subject {
    var device: String
    var examination: ReceiverExamination
    /// The counters of the port's driver when the port was opened.
    var errorsBefore: LineErrors?
    var errors: LineErrors?
  }

  private let dateFloor: CalendarDate?
  private let now: () -> Instant
  private let clock: () -> GNSSTime?
  private let lineErrors: (LinkID) -> LineErrors?
  private var detectedDevices: [LinkID: DetectedDevice] = [:]
  private var examinedReceivers: [LinkID: Subject] = [:]
  private var problems: [LinkID: OpenProblem] = [:]

  /// - Parameters:
  ///   - dateFloor: the latest day that is certainly in the past.
  ///   - clock: this machine's wall-clock time; `nil` if it is not set, or unrelated to the examined data.
  package init(
    dateFloor: CalendarDate?, now: @escaping () -> Instant, clock: @escaping () -> GNSSTime?,
    lineErrors: @escaping (LinkID) -> LineErrors?
  ) {
    self.dateFloor = dateFloor
    self.now = now
    self.clock = clock
    self.lineErrors = lineErrors
  }

  /// The facts about each receiver so far.
  package var facts: [ReceiverFacts] {
    examinedReceivers.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, patient in
      var facts = patient.examination.facts(at: now())
      let errors = lineErrors(id) ?? patient.errors
      if let errors { facts.lineErrors = errors - (patient.errorsBefore ?? LineErrors()) }
      return facts
    }
  }

  /// Why no port could be opened, while the service waits for that to change; `nil` if one was opened, or if none was
  /// tried.
  package var openFailure: LocationFailure? {
    guard examinedReceivers.isEmpty, let (id, problem) = problems.min(by: { $0.key.rawValue < $1.key.rawValue }) else {
      return nil
    }
    return detectedDevices[id].map { FailureExplanation.failure(of: problem, path: $0.path) }
  }

  /// Whether all receivers are certainly healthy.
  package var areSurelyHealthy: Bool {
    !examinedReceivers.isEmpty && examinedReceivers.values.allSatisfy { $0.examination.isSurelyHealthy }
  }

  /// Adds a fix that the service sent.
  package func add(_ fix: PositionFix) {
    guard let id = examinedReceivers.first(where: { $0.value.device == fix.device })?.key else { return }
    let age = now() - fix.receivedAt
    examinedReceivers[id]?.examination.add(fix, clock: clock().map { $0 + (.zero - age) })
  }

  // MARK: - Between the core and its ports

  package func note(_ input: ServiceCore.Input, at now: Instant) {
    switch input {
    case .opened(let id, let baud):
      guard let device = detectedDevices[id]?.path else { return }
      var patient =
        examinedReceivers[id]
        ?? Subject(
          device: device, examination: ReceiverExamination(device: device, dateFloor: dateFloor, at: now))
      patient.errorsBefore = patient.errorsBefore ?? lineErrors(id)
      patient.examination.opened(speed: detectedDevices[id]?.hasLineSpeed == true ? baud : nil, at: now)
      examinedReceivers[id] = patient
    case .closed(let id): examinedReceivers[id]?.examination.vanished()
    case .openFailed(let id, let problem): problems[id] = problem
    case .deviceAppeared, .deviceVanished, .sourceless, .inventoryComplete, .portFreed, .ended, .request,
      .presence, .clientGone, .recalled, .settingsRecalled, .trustChanged, .ownerSet, .wifiChanged,
      .scanned, .remembered, .prefer, .useCorrections, .setMonitoringFeed, .setTiming, .wake:
      break
    }
  }

  package func note(_ action: ServiceCore.Action, at now: Instant) {
    switch action {
    case .open(let id, let device): detectedDevices[id] = device
    case .close(let id): if let errors = lineErrors(id) { examinedReceivers[id]?.errors = errors }
    case .setSpeed(let id, let baud): examinedReceivers[id]?.examination.speedSet(baud, at: now)
    case .write, .send, .changeTrust, .setOwner, .recall, .keep, .recallSettings, .keepSettings, .leftChanged,
      .listenToWiFi, .learnPlaces, .monitoringFix, .timed, .remember:
      break
    }
  }

  package func received(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) {
    examinedReceivers[id]?.examination.receive(bytes, at: now)
  }
}
