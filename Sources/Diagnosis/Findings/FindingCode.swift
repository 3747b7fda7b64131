/// What a finding is about. Codes are stable: scripts compare them. `Hardware/doctor.md` lists them, in this order.
///
/// Of two findings of one severity the one that stands first here is told first, as mending it may mend the other:
/// power before cable, cable before driver, driver before permission, port before receiver, receiver before sky.
package enum FindingCode: String, Hashable, Sendable, CaseIterable {
  // The recording, or gpsd, that was named.
  case recordingDamaged = "recording-damaged"
  case gpsdAbsent = "gpsd-absent"
  case gpsdWithoutReceiver = "gpsd-without-receiver"

  // Who may have a location at all.
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

  // Who may, and who has it.
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

  // Is there one at all.
  case adapterUntrusted = "adapter-untrusted"
  case noReceiver = "no-receiver"

  // The line.
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

  // The sky, and what is between it and the receiver.
  case antennaShort = "antenna-short"
  case antennaOpen = "antenna-open"
  case spoofed = "spoofed"
  case jammed = "jammed"
  case noSatellites = "no-satellites"
  case weakSignals = "weak-signals"
  case noFixYet = "no-fix-yet"

  // What it says.
  case frozen = "position-frozen"
  case implausible = "position-implausible"
  case dataDamaged = "data-damaged"
  case lineTooSlow = "line-too-slow"
  case weekRollover = "week-rollover"
  case dateFalse = "date-false"
  case flatFix = "fix-2d"
  case poorGeometry = "poor-geometry"

  // Programs that get nothing, though there are positions.
  case clientUndecided = "client-undecided"
  case clientResting = "client-resting"
  case clientPaused = "client-paused"

  // The machine around it.
  case clockUnset = "clock-unset"
  case clockWrong = "clock-wrong"
  case stateFull = "state-folder-full"
  case stateReadOnly = "state-folder-read-only"
  case containerWithoutUdev = "container-without-udev"
  case modemManagerMayProbe = "modemmanager-may-probe"
  case simulated = "simulated"
}
