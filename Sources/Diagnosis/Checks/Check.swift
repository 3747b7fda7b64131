/// One thing that was checked, whether it is fine or not. Its text is printable, one line, and bounded.
package struct Check: Hashable, Sendable {
  package var name: CheckName
  package var state: State
  /// The result: what is fine, the sentence of the first finding, or why nothing was checked.
  package var text: String
  /// Path of the device that was checked; `nil`: the machine.
  package var device: String?
  /// What is wrong or good to know, the most important first.
  package var findings: [Finding] = []

  /// The result of a check. Scripts compare its raw values.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Fine; something is good to know.
    case note
    /// There is a position, and it is or will become worse than necessary.
    case degrades
    /// The reason why there is no position, or none that is credible.
    case stops
    /// Not checked, because an earlier check failed, or data for this check are missing.
    case skipped

    init(_ severity: Severity) {
      switch severity {
      case .note: self = .note
      case .degrades: self = .degrades
      case .stops: self = .stops
      }
    }
  }

  init(_ name: CheckName, _ state: State, _ text: String, device: String? = nil) {
    (self.name, self.state, self.text) = (name, state, text)
    self.device = device.map { SafeText.plain($0) }
  }

  init(_ name: CheckName, _ findings: [Finding], device: String?) {
    let worst = findings.map(\.severity).min()
    self.init(name, worst.map { State($0) } ?? .ok, findings.first?.sentence ?? "", device: device)
    self.findings = findings
  }
}

/// What is checked, in the order of the path from the source to the position, followed by clock, storage, service and
/// programs. Scripts compare the raw values.
package enum CheckName: String, Hashable, Sendable, CaseIterable {
  case recording, gpsd, access, power, receiver
  case port, baud, data, antenna, fix
  case corrections
  case fleet
  case clock, storage, service, programs

  /// Whether the check is made for each receiver.
  var isOfReceiver: Bool {
    switch self {
    case .port, .baud, .data, .antenna, .fix: true
    case .recording, .gpsd, .access, .power, .receiver, .corrections, .fleet, .clock, .storage, .service, .programs:
      false
    }
  }
}

extension FindingCode {
  /// The check that leads to this finding.
  package var check: CheckName {
    switch self {
    case .recordingDamaged: .recording
    case .gpsdAbsent, .gpsdWithoutReceiver: .gpsd
    case .servicesOff, .locationNotGranted: .access
    case .underVoltage, .overCurrent, .usbDisconnects: .power
    case .usbNotRecognized, .usbUnauthorized, .driverMissing, .containerDevice, .nodeMissing, .uartOff, .brokenLink,
      .notAPort, .noSuchPort, .adapterUntrusted, .noReceiver, .containerWithoutUdev, .simulated:
      .receiver
    case .portBroken, .containerDenied, .groupNotActive, .permissionDenied, .nodePrivate, .consoleOnUART, .loginOnUART,
      .bluetoothOnUART, .modemManagerHolds, .gpsdOwns, .inUseByOurs, .inUse, .notConnected, .vanished,
      .modemManagerMayProbe:
      .port
    case .lineHeldLow, .silent, .wrongSpeed, .fellSilent, .lineTooSlow: .baud
    case .restarting, .notAReceiver, .otherProtocol, .correctionsOnly, .noPositionMessages, .dataDamaged: .data
    case .antennaShort, .antennaOpen, .spoofed, .jammed, .noSatellites, .weakSignals: .antenna
    case .noFixYet, .frozen, .implausible, .flatFix, .poorGeometry: .fix
    case .correctionsFile, .correctionsUnreachable, .correctionsRefused, .correctionsMount, .correctionsBanned,
      .correctionsSilent, .correctionsUnusable, .correctionsFar, .correctionsOld, .correctionsUnused, .noRTK:
      .corrections
    case .fleetLibrary, .fleetFiles, .fleetCertificate, .fleetCredentials, .fleetRefused,
      .fleetUnreachable, .fleetUnheard, .fleetClock, .fleetLost, .fleetOldProtocol:
      .fleet
    case .weekRollover, .dateFalse, .clockUnset, .clockWrong,
      .pulseWithoutLock, .lockWithoutPulse, .pulseOffSecond, .clockSocketMissing, .clockSocketDenied,
      .clockCannotBeSet:
      .clock
    case .stateFull, .stateReadOnly, .placesOld: .storage
    case .serviceBound, .settingUnknown, .settingInvalid, .settingsFileOld, .placesContactMissing: .service
    case .clientUndecided, .clientResting, .clientPaused, .portUnidentified: .programs
    }
  }
}
