package import Diagnosis

extension CommandStatus {
  /// The exit status of `doctor` for a finding, in the terms of the other commands.
  ///
  /// | finding | status |
  /// |---|---|
  /// | no device that can be opened; one that sends no positions that the decoders understand; USB over-current | 69 |
  /// | the device may not be opened; location is not granted, or is off; a caster or a destination refuses the account | 77 |
  /// | a path that can never be a receiver | 64 |
  /// | a damaged recording; a setting of locationd that is misspelled, not valid or unreadable; a caster's file or mount point; a destination's file | 65 |
  /// | the state folder | 73 |
  /// | a receiver that reports false or damaged data | 76 |
  /// | all others, such as port in use, power, sky, antenna, clock: the next attempt may succeed | 75 |
  package init(_ code: FindingCode) {
    switch code {
    case .recordingDamaged, .settingUnknown, .settingInvalid, .correctionsFile, .correctionsMount, .fleetFiles:
      self = .badInput
    case .notAPort: self = .usage
    case .stateFull, .stateReadOnly: self = .cannotWrite
    case .servicesOff, .locationNotGranted, .containerDenied, .groupNotActive, .permissionDenied, .nodePrivate,
      .correctionsRefused, .fleetCredentials, .fleetRefused:
      self = .denied
    case .gpsdAbsent, .gpsdWithoutReceiver, .overCurrent, .usbNotRecognized, .usbUnauthorized, .driverMissing,
      .containerDevice, .nodeMissing, .uartOff, .brokenLink, .noSuchPort, .portBroken, .adapterUntrusted, .noReceiver,
      .lineHeldLow, .silent, .notAReceiver, .otherProtocol, .wrongSpeed, .correctionsOnly, .noPositionMessages:
      self = .noSource
    case .frozen, .implausible, .dataDamaged, .weekRollover, .dateFalse: self = .protocolError
    case .underVoltage, .usbDisconnects, .consoleOnUART, .loginOnUART, .bluetoothOnUART, .modemManagerHolds, .gpsdOwns,
      .inUseByOurs, .inUse, .notConnected, .vanished, .restarting, .fellSilent, .antennaShort, .antennaOpen, .spoofed,
      .jammed, .noSatellites, .weakSignals, .noFixYet, .lineTooSlow, .flatFix, .poorGeometry, .clockUnset, .clockWrong,
      .pulseWithoutLock, .lockWithoutPulse, .pulseOffSecond, .clockSocketMissing, .clockSocketDenied, .clockCannotBeSet,
      .serviceBound, .settingsFileOld, .placesOld, .placesContactMissing, .containerWithoutUdev, .modemManagerMayProbe,
      .simulated,
      .clientUndecided, .clientResting, .clientPaused, .portUnidentified, .correctionsUnreachable, .correctionsBanned,
      .correctionsSilent, .correctionsUnusable, .correctionsFar, .correctionsOld, .correctionsUnused, .noRTK,
      .fleetLibrary, .fleetCertificate, .fleetUnreachable, .fleetUnheard, .fleetClock, .fleetLost, .fleetOldProtocol:
      self = .locationUnknown
    }
  }
}
