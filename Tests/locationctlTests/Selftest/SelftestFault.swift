import Diagnosis
import Foundation
import Testing

/// Faults of a receiver, of a port or of a machine that are injected into real runs of `locationctl selftest`.
enum SelftestFault: String, CaseIterable, CustomTestStringConvertible {
  // The port and the receiver's output.
  case noPort, directory, portInUse, noPermission, silent, talkingBoard, noise, sirf, textsOnly
  // The receiver and the sky.
  case coldStart, noSatellites, antennaOpen, restarts, frozen, damaged, rollover, falseClock
  // Faults that only minutes of updates show.
  case stalls, lostPosition, overconfident, settingsChanged
  // The machine.
  case heat, heatNow, wifiOff, bluetoothOff, noPulses, underVoltage, overCurrent

  var testDescription: String { rawValue }

  /// The check that finds it, and the finding of `doctor` in it.
  var expected: (check: SelfTestCheckID, finding: FindingCode?) {
    switch self {
    case .noPort: (.receiver, nil)
    case .directory: (.receiver, .notAPort)
    case .portInUse: (.receiver, .inUse)
    case .noPermission: (.receiver, .permissionDenied)
    case .silent: (.receiver, .silent)
    case .talkingBoard: (.receiver, .notAReceiver)
    case .noise: (.receiver, .wrongSpeed)
    case .sirf: (.receiver, .otherProtocol)
    case .textsOnly: (.receiver, .noPositionMessages)
    case .coldStart: (.receiver, .noFixYet)
    case .noSatellites: (.receiver, .noSatellites)
    case .antennaOpen: (.receiver, .antennaOpen)
    case .restarts: (.receiver, .restarting)
    case .frozen: (.receiver, .frozen)
    case .damaged: (.receiver, .dataDamaged)
    case .rollover: (.receiver, .weekRollover)
    case .falseClock: (.clock, nil)
    case .stalls, .lostPosition: (.updates, nil)
    case .overconfident: (.radius, nil)
    case .settingsChanged: (.settings, nil)
    case .heat, .heatNow: (.temperature, nil)
    case .wifiOff: (.wifi, nil)
    case .bluetoothOff: (.bluetooth, nil)
    case .noPulses: (.pps, nil)
    case .underVoltage: (.machine, .underVoltage)
    case .overCurrent: (.machine, .overCurrent)
    }
  }

  /// The arguments of `simulated-ublox`; `nil`: the fault needs no receiver.
  var receiver: [String]? {
    switch self {
    case .noPort, .directory: nil
    case .portInUse, .noPermission, .silent: ["nmea411", "hot", "mute"]
    case .talkingBoard: ["nmea411", "mute", "send=" + Self.hex("temperature: 21.5 C, humidity: 40 %\r\n")]
    case .noise: ["nmea411", "mute", "send=" + Self.noiseBytes]
    case .sirf: ["nmea411", "mute", "send=" + Self.sirfFrame]
    case .textsOnly: ["nmea411", "mute", "send=" + Self.sentence("GPTXT,01,01,02,ANTSTATUS=OK")]
    case .coldStart: ["nmea411"]
    case .noSatellites: ["nmea411", "hot", "lost=0-9999"]
    case .antennaOpen: ["nmea411", "hot", "lost=0-9999", "send=" + Self.sentence("GPTXT,01,01,02,ANTSTATUS=OPEN")]
    case .restarts: ["nmea411", "hot", "send=" + Self.sentence("GPTXT,01,01,02,u-blox AG - www.u-blox.com")]
    case .frozen: ["nmea23", "hot", "rate=4", "driving", "frozen=1-9999"]
    case .damaged: ["nmea23", "hot", "rate=4", "corruption=4"]
    case .rollover: ["nmea23", "hot", "rate=4", "rollover"]
    case .falseClock: ["nmea23", "hot", "rate=4", "\(Int(Date().timeIntervalSince1970) + 7200)"]
    case .stalls: ["nmea23", "hot", "rate=4"] + (0..<90).map { "stall=\(1 + $0 * 2)-\(2 + $0 * 2)" }
    case .lostPosition: ["nmea23", "hot", "rate=4"] + (0..<15).map { "lost=\(7 + $0 * 8)-\(12 + $0 * 8)" }
    case .overconfident: ["ublox8", "hot", "rate=4", "overconfident=5"]
    case .settingsChanged:
      ["ublox8", "hot", "rate=4", "written", "send=" + Self.sentence("GPZDA,120000.00,01,08,2026,00,00")]
    case .heat, .heatNow, .wifiOff, .bluetoothOff, .noPulses, .underVoltage, .overCurrent: ["nmea23", "hot", "rate=4"]
    }
  }

  /// Devices of the machine, in umockdev's format; `nil`: the machine is the real one.
  var machine: String? {
    switch self {
    case .heat: Machine.sensor("85200") + Machine.good
    case .heatNow: Machine.sensor("93000") + Machine.good
    case .wifiOff: Machine.sensor("48000") + Machine.radio(0, "wlan", isBlocked: true)
    case .bluetoothOff: Machine.sensor("48000") + Machine.radio(0, "bluetooth", isBlocked: true)
    case .noPulses: Machine.sensor("48000") + Machine.pulses
    case .underVoltage: Machine.sensor("48000") + Machine.throttled
    case .overCurrent: Machine.sensor("48000") + Machine.overCurrent
    case .noPort, .directory, .portInUse, .noPermission, .silent, .talkingBoard, .noise, .sirf, .textsOnly, .coldStart,
      .noSatellites, .antennaOpen, .restarts, .frozen, .damaged, .rollover, .falseClock, .stalls, .lostPosition,
      .overconfident, .settingsChanged:
      nil
    }
  }

  // MARK: - Bytes

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  private static func hex(_ text: String) -> String { hex(text.utf8) }

  private static func sentence(_ content: String) -> String {
    let sum = content.utf8.reduce(0) { $0 ^ $1 }
    return hex("$\(content)*\(String(format: "%02X", sum))\r\n")
  }

  /// What a UART receives at a wrong baud rate.
  private static let noiseBytes = hex(
    (0..<200).map { UInt8(truncatingIfNeeded: ($0 &* 73 &+ 41) ^ ($0 &* $0 &* 29)) | 0x80 })

  /// Two frames of SiRF binary: message 2 with zeros (SiRF Binary Protocol Reference Manual, chapter 2).
  private static let sirfFrame: String = {
    let payload = [UInt8(2)] + [UInt8](repeating: 0x11, count: 40)
    let sum = payload.reduce(0) { ($0 + Int($1)) & 0x7FFF }
    let frame = [0xA0, 0xA2, 0, UInt8(payload.count)] + payload + [UInt8(sum >> 8), UInt8(sum & 0xFF), 0xB0, 0xB3]
    return hex(frame + frame)
  }()
}

/// Parts of a machine in umockdev's format.
enum Machine {
  static func sensor(_ value: String) -> String {
    "P: /devices/virtual/thermal/thermal_zone0\nE: SUBSYSTEM=thermal\nA: temp=\(value)\nA: type=cpu-thermal\n\n"
  }

  static func radio(_ number: Int, _ type: String, isBlocked: Bool) -> String {
    """
    P: /devices/platform/radio/rfkill/rfkill\(number)
    E: SUBSYSTEM=rfkill
    A: type=\(type)
    A: soft=\(isBlocked ? 1 : 0)
    A: hard=0


    """
  }

  /// Radios that are on.
  static let good = radio(0, "wlan", isBlocked: false) + radio(1, "bluetooth", isBlocked: false)

  /// A source of time pulses without pulses.
  static let pulses =
    "P: /devices/virtual/pps/pps0\nE: SUBSYSTEM=pps\nA: assert=0.000000000#0\nA: clear=0.000000000#0\n\n"

  static let throttled = "P: /devices/platform/soc/soc:firmware\nE: SUBSYSTEM=platform\nA: get_throttled=0x50005\n\n"

  static let overCurrent = """
    P: /devices/pci0000:00/0000:00:14.0/usb1
    E: SUBSYSTEM=usb
    E: DEVTYPE=usb_device

    P: /devices/pci0000:00/0000:00:14.0/usb1/1-0:1.0
    E: SUBSYSTEM=usb
    E: DEVTYPE=usb_interface

    P: /devices/pci0000:00/0000:00:14.0/usb1/1-0:1.0/usb1-port1
    E: SUBSYSTEM=usb
    A: over_current_count=3


    """
}
