/// One thing that is wrong, or good to know: its cause in one sentence, and the one command or action that fixes it.
///
/// Both texts are printable, one line, and bounded: what a device supplied has been through `SafeText`.
package struct Finding: Hashable, Sendable {
  package var code: FindingCode
  package var severity: Severity
  package var sentence: String
  /// A shell command, or an action in the imperative if no command does it.
  package var command: String
  /// Path of the device that the finding is about; `nil`: the machine.
  package var device: String?

  init(_ code: FindingCode, _ severity: Severity, _ sentence: String, command: String, device: String? = nil) {
    self.code = code
    self.severity = severity
    self.sentence = sentence
    self.command = command
    self.device = device.map { SafeText.plain($0) }
  }
}

/// What a finding is about. Codes are stable: scripts compare them. `Hardware/doctor.md` lists them, in this order.
///
/// Of two findings of one severity the one listed first here is reported first, because fixing it may resolve the other: power
/// before cable, cable before driver, driver before permission, port before receiver, receiver before sky.
package enum FindingCode: String, Hashable, Sendable, CaseIterable {
  // The recording, or gpsd, that was named.
  case recordingDamaged = "recording-damaged"
  case gpsdAbsent = "gpsd-absent"
  case gpsdWithoutReceiver = "gpsd-without-receiver"

  // Access to the location.
  case servicesOff = "services-off"
  case locationNotGranted = "location-not-granted"

  // Power and cable.
  case underVoltage = "under-voltage"
  case overCurrent = "usb-over-current"
  case usbNotRecognized = "usb-not-recognized"
  case usbDisconnects = "usb-disconnects"

  // The kernel.
  case usbUnauthorized = "usb-unauthorized"
  case driverMissing = "driver-missing"
  case containerDevice = "container-device-missing"
  case nodeMissing = "node-missing"
  case uartOff = "uart-off"
  case brokenLink = "broken-link"
  case notAPort = "not-a-port"
  case noSuchPort = "no-such-port"
  case portBroken = "port-broken"

  // Permissions and ownership of the port.
  case containerDenied = "container-device-denied"
  case groupNotActive = "group-not-active"
  case permissionDenied = "permission-denied"
  case nodePrivate = "node-private"
  case consoleOnUART = "console-on-uart"
  case loginOnUART = "login-on-uart"
  case bluetoothOnUART = "bluetooth-on-uart"
  case modemManagerHolds = "modemmanager-holds-port"
  case gpsdOwns = "gpsd-owns-port"
  case inUseByOurs = "port-in-use-by-locationctl"
  case inUse = "port-in-use"

  // Presence of a receiver.
  case adapterUntrusted = "adapter-untrusted"
  case noReceiver = "no-receiver"

  // The serial line.
  case notConnected = "source-not-connected"
  case vanished = "receiver-vanished"
  case restarting = "receiver-restarting"
  case lineHeldLow = "line-held-low"
  case silent = "receiver-silent"
  case notAReceiver = "not-a-receiver"
  case otherProtocol = "other-protocol"
  case wrongSpeed = "wrong-speed"
  case correctionsOnly = "corrections-only"
  case noPositionMessages = "no-position-messages"
  case fellSilent = "receiver-fell-silent"

  // The sky, and obstacles between it and the receiver.
  case antennaShort = "antenna-short"
  case antennaOpen = "antenna-open"
  case spoofed = "spoofed"
  case jammed = "jammed"
  case noSatellites = "no-satellites"
  case weakSignals = "weak-signals"
  case noFixYet = "no-fix-yet"

  // The reported data.
  case frozen = "position-frozen"
  case implausible = "position-implausible"
  case dataDamaged = "data-damaged"
  case lineTooSlow = "line-too-slow"
  case weekRollover = "week-rollover"
  case dateFalse = "date-false"
  case flatFix = "fix-2d"
  case poorGeometry = "poor-geometry"

  // The corrections for RTK.
  case correctionsFile = "corrections-file-invalid"
  case correctionsUnreachable = "corrections-unreachable"
  case correctionsRefused = "corrections-refused"
  case correctionsMount = "corrections-wrong-mount"
  case correctionsBanned = "corrections-banned"
  case correctionsSilent = "corrections-silent"
  case correctionsUnusable = "corrections-unusable"
  case correctionsFar = "corrections-too-far"
  case correctionsOld = "corrections-old"
  case correctionsUnused = "corrections-unused"
  case noRTK = "rtk-not-reached"

  // Clients that get nothing although there are positions.
  case clientUndecided = "client-undecided"
  case clientResting = "client-resting"
  case clientPaused = "client-paused"
  case portUnidentified = "port-clients-unidentified"

  // Destinations of positions.
  case fleetLibrary = "fleet-library-missing"
  case fleetFiles = "fleet-file-unreadable"
  case fleetCertificate = "fleet-certificate"
  case fleetCredentials = "fleet-credentials"
  case fleetRefused = "fleet-refused"
  case fleetUnreachable = "fleet-unreachable"
  case fleetUnheard = "fleet-unheard"
  case fleetClock = "fleet-clock"
  case fleetLost = "fleet-lost"
  case fleetOldProtocol = "fleet-old-protocol"

  // The machine.
  case clockUnset = "clock-unset"
  case clockWrong = "clock-wrong"
  case pulseWithoutLock = "pulse-without-lock"
  case lockWithoutPulse = "lock-without-pulse"
  case pulseOffSecond = "pulse-off-second"
  case clockSocketMissing = "clock-socket-missing"
  case clockSocketDenied = "clock-socket-denied"
  case clockCannotBeSet = "clock-cannot-be-set"
  case stateFull = "state-folder-full"
  case stateReadOnly = "state-folder-read-only"
  case serviceBound = "service-bound-reached"
  case settingUnknown = "setting-unknown"
  case settingInvalid = "setting-invalid"
  case settingsFileOld = "settings-file-old"
  case placesOld = "places-old"
  case placesContactMissing = "places-contact-missing"
  case containerWithoutUdev = "container-without-udev"
  case modemManagerMayProbe = "modemmanager-may-probe"
  case simulated = "simulated"
}

/// How much a finding matters, the most important case first: those findings are to be fixed first.
package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  /// There is no position, or none that is credible.
  case stops
  /// There is a position, and it is or will become worse than necessary.
  case degrades
  /// Nothing is wrong; good to know.
  case note

  package static func < (a: Severity, b: Severity) -> Bool { a.order < b.order }

  private var order: Int {
    switch self {
    case .stops: 0
    case .degrades: 1
    case .note: 2
    }
  }
}

/// Sanitizes text from a device, a process or a file system for a sentence and for a command that a person will paste.
enum SafeText {
  /// Longer text is cut.
  static let maximumLength = 120

  /// Printable ASCII on one line, bounded: every other character becomes `?`.
  static func plain(_ text: String, limit: Int = maximumLength) -> String {
    var bytes = text.utf8.prefix(limit).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    if text.utf8.count > limit { bytes += "...".utf8 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Any text as one word of a shell's command line (POSIX Shell Command Language, 2.2.2).
  static func word(_ text: String) -> String {
    let text = plain(text)
    let isHarmless = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case _: "/._:@+-".utf8.contains(byte)
      }
    }
    // A leading dash would be read as an option.
    guard isHarmless, !text.isEmpty, !text.hasPrefix("-") else {
      return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    return text
  }
}
