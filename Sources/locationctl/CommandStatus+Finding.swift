package import Diagnosis

extension CommandStatus {
  /// How `doctor` ends on a finding, in the terms of the other commands.
  ///
  /// | finding | status |
  /// |---|---|
  /// | nothing is there that could be asked, or it never says a word that is understood | 69 |
  /// | it may not be opened; location is not granted, or is off | 77 |
  /// | a path that can never be a receiver | 64 |
  /// | a damaged recording | 65 |
  /// | the state folder | 73 |
  /// | a receiver that says what is not so | 76 |
  /// | all else: in use, power, sky, antenna, clock; it may be well at the next try | 75 |
  package init(_ code: FindingCode) {
    switch code {
    case .recordingDamaged: self = .badInput
    case .notAPort: self = .usage
    case .stateFull, .stateReadOnly: self = .cannotWrite
    case .servicesOff, .locationNotGranted, .containerDenied, .groupNotActive, .permissionDenied, .nodePrivate:
      self = .denied
    case .gpsdAbsent, .gpsdWithoutReceiver, .overCurrent, .usbNotRecognized, .usbUnauthorized, .driverMissing,
      .containerDevice, .nodeMissing, .uartOff, .brokenLink, .noSuchPort, .portBroken, .adapterUntrusted, .noReceiver,
      .lineHeldLow, .silent, .notAReceiver, .otherProtocol, .wrongSpeed, .correctionsOnly, .noPositionMessages:
      self = .noSource
    case .frozen, .implausible, .dataDamaged, .weekRollover, .dateFalse: self = .protocolError
    case .underVoltage, .usbDisconnects, .consoleOnUART, .loginOnUART, .bluetoothOnUART, .modemManagerHolds, .gpsdOwns,
      .inUseByOurs, .inUse, .vanished, .restarting, .fellSilent, .antennaShort, .antennaOpen, .spoofed, .jammed,
      .noSatellites, .weakSignals, .noFixYet, .lineTooSlow, .flatFix, .poorGeometry, .clockUnset, .clockWrong,
      .containerWithoutUdev, .modemManagerMayProbe, .simulated, .clientUndecided, .clientResting, .clientPaused:
      self = .locationUnknown
    }
  }
}
