import GNSSReceiver
import Geodesy
import LinuxDevices
import LocationIPC
import LocationdService
import TimeService
import WireFormats

/// One open receiver whose time the clocks get.
struct TimedReceiver {
  let path: String
  /// The name of its port.
  let tty: String
  let port: PortClass
  /// Of a UART or of an adapter with one.
  var baudRate: Int?
  var identity: String?
  var machine: ReceiverTime
  var setter = ClockSetter()
  /// Why the clock is not set; `nil`: it may be.
  var refusal: ClockRefusal?
  /// The newest leap seconds that it has reported.
  var leap: NavTIMELS?
  /// Its pulse device.
  var pulse: String?
  var pulseReadAt: Instant?
  var clockReadAt: Instant?
  var lastByteAt: Instant?
  var samples: UInt64 = 0

  init(path: String, baudRate: Int?, identity: String?, table: CalibrationTable, settings: TimeSettings) {
    self.path = path
    let real = FileTree.realPath(path) ?? path
    tty = real.split(separator: "/").last.map(String.init) ?? real
    port = PortClass(tty: tty)
    self.identity = identity
    self.baudRate = port.hasLine ? baudRate : nil
    machine = ReceiverTime(
      receiver: identity, port: port, baudRate: self.baudRate, table: table, setting: settings.delaySeconds)
  }

  /// The same receiver with another identity or baud rate: what was measured does not belong to it.
  func restarted(baudRate: Int?, identity: String?, table: CalibrationTable, settings: TimeSettings) -> TimedReceiver {
    var receiver = TimedReceiver(
      path: path, baudRate: baudRate, identity: identity, table: table, settings: settings)
    (receiver.samples, receiver.leap, receiver.setter, receiver.refusal) = (samples, leap, setter, refusal)
    return receiver
  }

  /// What an epoch shows about its time.
  func evidence(_ epoch: GNSSEpoch, hasEraFloor: Bool, at now: Instant) -> TimeEvidence {
    var evidence = TimeEvidence(
      origin: epoch.isSimulated ? .simulator : .localReceiver, time: epoch.time,
      validity: epoch.timeValidity ?? TimeValidity.none,
      receivedAt: epoch.timing?.receivedAt ?? now, cycle: epoch.timing?.period ?? .seconds(1))
    evidence.receiverConfirms = epoch.timing?.receiverConfirms
    evidence.leapSeconds = leap?.leapSeconds
    evidence.leapSecondsAreDefault = leap?.isDefault ?? false
    evidence.is3DFix = epoch.fix.map { $0.kind != .twoDimensional && $0.kind != .estimated } ?? false
    evidence.isEraCertain = hasEraFloor
    evidence.qualityFlag = epoch.fix?.qualityFlag
    return evidence
  }

  func report(isCalibrating: Bool, at now: Instant) -> ReceiverTimeReport {
    var report = ReceiverTimeReport(
      device: path, state: isCalibrating ? .calibrating : ReceiverTimeState(machine.state))
    if let offset = machine.newestOffset {
      report.offsetSeconds = offset.offsetSeconds + machine.delay.seconds
      report.deviationSeconds = offset.deviationSeconds
    }
    report.delaySeconds = machine.delay.seconds
    report.delayUncertaintySeconds = machine.delay.uncertaintySeconds
    report.delayBasis = DelayBasis(machine.delay.basis)
    report.calibrationProgress = machine.calibrationProgress(at: now)
    report.isCalibrating = isCalibrating
    report.pulse = pulse
    report.pulseProblems = PulseProblems(machine.pulseFindings)
    report.samples = samples
    report.leap = machine.leapIndicator(at: now).rawValue
    return report
  }
}

extension PortClass {
  /// The class of a port by the name of its device node.
  init(tty: String) {
    if tty.hasPrefix("ttyACM") {
      self = .usb
    } else if tty.hasPrefix("ttyUSB") {
      self = .usbAdapter
    } else if tty.hasPrefix("ttyS") || tty.hasPrefix("ttyAMA") || tty.hasPrefix("ttymxc") || tty.hasPrefix("ttyTHS") {
      self = .uart
    } else {
      self = .other
    }
  }

  /// Whether its bytes come over a line with a baud rate; USB without a UART ignores the rate.
  var hasLine: Bool { self == .uart || self == .usbAdapter }
}

extension FirstMessage {
  init?(_ type: EpochMessageType) {
    if let (messageClass, id) = type.ubx {
      self = .ubx(class: messageClass, id: id)
    } else {
      guard let message = type.formatter.flatMap({ FirstMessage(formatter: $0) }) else { return nil }
      self = message
    }
  }
}

extension ReceiverTimeState {
  fileprivate init(_ state: ReceiverTime.State) {
    switch state {
    case .nothing, .filter(.waiting): self = .waiting
    case .filter(.offset): self = .sending
    case .filter(.tooWide): self = .tooWide
    case .filter(.offLine): self = .offLine
    case .refused(let refusal):
      switch refusal {
      case .notLocal, .simulated: self = .notLocal
      case .noTime: self = .noTime
      case .stale: self = .stale
      case .interference: self = .interference
      case .unconfirmed: self = .unconfirmed
      case .eraUncertain: self = .eraUncertain
      case .leapUncertain: self = .leapUncertain
      }
    case .noSample(let refusal):
      switch refusal {
      case .noSilence, .sharesBurst: self = .noSilence
      case .lateLoop, .leftUnread: self = .lateLoop
      case .largeRead: self = .largeRead
      }
    }
  }
}

extension DelayBasis {
  fileprivate init(_ basis: ReceiverDelay.Basis) {
    switch basis {
    case .portClass: self = .portClass
    case .pulse: self = .pulse
    case .systemClock: self = .systemClock
    case .setting: self = .setting
    }
  }
}

extension PulseProblems {
  fileprivate init(_ findings: Set<PulseFinding>) {
    self = []
    for finding in findings {
      switch finding {
      case .pulseWithoutLock: insert(.pulseWithoutLock)
      case .lockWithoutPulse: insert(.lockWithoutPulse)
      case .pulseOffSecond: insert(.pulseOffSecond)
      }
    }
  }
}
