import Geodesy

/// The checks of the machine: its load, its temperature, its radios.
extension SelfTest {
  /// Shares of one processor. Even on the smallest Raspberry Pi, the service needs only a fraction of `high`. From
  /// `high` on there is a warning, and from `tooHigh` on a failure.
  private static let processorShare = (high: 0.1, tooHigh: 0.5)
  /// Megabytes. `tooHigh` is just below `MemoryHigh=384M` (MiB) in the unit of the service, above which the kernel
  /// slows the service down.
  private static let megabytes = (high: 192.0, tooHigh: 384.0)
  /// °C. A Raspberry Pi slows down at `high`, other computers at `tooHigh`.
  private static let celsius = (high: 80.0, tooHigh: 90.0)
  /// Writing no more than this many bytes per hour does not wear out a memory card.
  private static let bytesPerHour = 20_000_000.0
  /// Writing fewer bytes than this is no basis for a rate per hour.
  private static let fewestBytes = 1_000_000
  /// A shorter measurement would mostly show the load of the start.
  private static let shortest = Duration.seconds(4)

  private var who: String { isMeasuringDaemon ? "locationd" : "This command" }

  var cpuCheck: SelfTestCheck {
    guard load.duration >= Self.shortest, let share = load.processorShare else {
      return SelfTestCheck(.cpu, .skipped, "Not measured: the measurement was too short.")
    }
    let outcome = Self.outcome(share, Self.processorShare)
    return SelfTestCheck(
      .cpu, outcome, "\(who) used \(Self.text(share * 100)) % of one processor.",
      [SelfTestFigure(.cpuPercent, share * 100)])
  }

  var memoryCheck: SelfTestCheck {
    guard let bytes = load.peakResidentBytes else {
      return SelfTestCheck(
        .memory, .skipped, "Not measured: the kernel does not report how much memory the process uses.")
    }
    let megabytes = Double(bytes) / 1e6
    return SelfTestCheck(
      .memory, Self.outcome(megabytes, Self.megabytes), "\(who) used at most \(Self.text(megabytes)) MB of memory.",
      [SelfTestFigure(.residentMegabytes, megabytes)])
  }

  var temperatureCheck: SelfTestCheck {
    guard let celsius = load.peakTemperature else {
      return SelfTestCheck(.temperature, .skipped, "Not measured: the machine has no temperature sensor.")
    }
    return SelfTestCheck(
      .temperature, Self.outcome(celsius, Self.celsius), "\(Self.text(celsius)) °C at most.",
      [SelfTestFigure(.temperatureCelsius, celsius)])
  }

  var cardWritesCheck: SelfTestCheck {
    let machine = SelfTestFigure(.machineWrittenKilobytes, load.machineWrittenBytes.map { Double($0) / 1000 })
    guard load.duration >= Self.shortest, let bytes = load.writtenBytes else {
      let reason =
        load.duration < Self.shortest ? "the measurement was too short" : "only root can see how much locationd writes"
      return SelfTestCheck(.cardWrites, .skipped, "Not measured: \(reason).", [machine])
    }
    let perHour = Double(bytes) / load.duration.inSeconds * 3600
    return SelfTestCheck(
      .cardWrites, bytes >= Self.fewestBytes && perHour > Self.bytesPerHour ? .warning : .passed,
      "\(who) wrote \(Self.text(Double(bytes) / 1000)) kB to the disk.",
      [SelfTestFigure(.writtenKilobytes, Double(bytes) / 1000), machine])
  }

  func radio(_ id: SelfTestCheckID, _ kind: RadioFacts.Kind, _ name: String) -> SelfTestCheck {
    let radios = system.radios.filter { $0.kind == kind }
    let blocked = radios.count { $0.isBlocked }
    let figures = [SelfTestFigure(.radios, Double(radios.count)), SelfTestFigure(.blocked, Double(blocked))]
    guard !radios.isEmpty else { return SelfTestCheck(id, .skipped, "Not checked: the machine has no \(name) radio.") }
    return SelfTestCheck(
      id, blocked == 0 ? .passed : .warning,
      blocked == 0 ? "\(name) is on." : "\(name) is switched off: 'rfkill list' shows what blocks it.", figures)
  }

  var pulseCheck: SelfTestCheck {
    let pulses = load.pulses
    guard pulses.sources > 0 else {
      return SelfTestCheck(.pps, .skipped, "Not checked: this machine has no source of time pulses (PPS).")
    }
    return SelfTestCheck(
      .pps, pulses.pulsing > 0 ? .passed : .warning,
      pulses.pulsing > 0 ? "Time pulses arrive." : "The source of time pulses (PPS) sent no pulse.",
      [SelfTestFigure(.sources, Double(pulses.sources))])
  }

  private static func outcome(_ value: Double, _ limit: (high: Double, tooHigh: Double)) -> SelfTestOutcome {
    value >= limit.tooHigh ? .failed : value >= limit.high ? .warning : .passed
  }
}

extension FindingCode {
  /// Whether the finding is about the machine or the service, and not about a receiver, a client, or the access to a
  /// receiver or to the location.
  package var isOfMachine: Bool {
    switch self {
    case .underVoltage, .overCurrent, .usbNotRecognized, .usbDisconnects, .usbUnauthorized, .clockUnset, .clockWrong,
      .stateFull, .stateReadOnly, .serviceBound, .placesOld, .placesContactMissing, .containerWithoutUdev,
      .modemManagerMayProbe,
      .consoleOnUART,
      .loginOnUART, .bluetoothOnUART, .settingUnknown, .settingInvalid, .settingsFileOld, .clockSocketMissing,
      .clockSocketDenied, .clockCannotBeSet, .portUnidentified:
      true
    case .recordingDamaged, .gpsdAbsent, .gpsdWithoutReceiver, .servicesOff, .locationNotGranted, .driverMissing,
      .containerDevice, .nodeMissing, .uartOff, .brokenLink, .notAPort, .noSuchPort, .portBroken, .containerDenied,
      .groupNotActive, .permissionDenied, .nodePrivate, .modemManagerHolds, .gpsdOwns, .inUseByOurs, .inUse,
      .adapterUntrusted, .noReceiver, .notConnected, .vanished, .restarting, .lineHeldLow, .silent, .notAReceiver,
      .otherProtocol, .wrongSpeed, .correctionsOnly, .noPositionMessages, .fellSilent, .antennaShort, .antennaOpen,
      .spoofed, .jammed,
      .noSatellites, .weakSignals, .noFixYet, .frozen, .implausible, .dataDamaged, .lineTooSlow, .weekRollover,
      .dateFalse, .flatFix, .poorGeometry, .clientUndecided, .clientResting, .clientPaused, .simulated,
      .correctionsFile, .correctionsUnreachable, .correctionsRefused, .correctionsMount, .correctionsBanned,
      .correctionsSilent, .correctionsUnusable, .correctionsFar, .correctionsOld, .correctionsUnused, .noRTK,
      .fleetLibrary, .fleetFiles, .fleetCertificate, .fleetCredentials, .fleetRefused,
      .fleetUnreachable, .fleetUnheard, .fleetClock, .fleetLost, .fleetOldProtocol,
      .pulseWithoutLock, .lockWithoutPulse, .pulseOffSecond:
      false
    }
  }
}
