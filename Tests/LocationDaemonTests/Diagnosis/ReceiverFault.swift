import Diagnosis
import Geodesy
import LocationReplay
import TestSupport
import Testing
import WireFormats

/// Faults of a receiver or its line, each with the resulting output.
enum ReceiverFault: String, CaseIterable, CustomTestStringConvertible {
  case unplugged, looseCable, restarts, restartsWithoutFix, lineHeldLow, talkingBoard, loginOfAnotherMachine, wrongSpeed
  case sirf, trimble, garmin, skytraq, mediatek, septentrio, novatel, casic, casicAfterGreeting
  case correctionsOnly, textsOnly, versionOnly, fellSilent
  case antennaShort, antennaOpenOfCasic, antennaShortByMonitor, antennaOpenByMonitor, spoofed, jammed, jammedWithFix
  case noSky, noSkyOfUblox, neverAnySatellite, weakSignals, coldStart
  case frozen, implausible, damaged, damagedUBX, rollover, rolloverOfUblox, futureDate, twoDimensional, badGeometry
  case weakWithFix

  var testDescription: String { rawValue }

  /// The expected first finding, and parts of its sentence and its command.
  var expected: (code: FindingCode, cause: String, command: String) {
    switch self {
    case .unplugged: (.vanished, "was disconnected", "Plug it in again")
    case .looseCable: (.vanished, "was disconnected 1 time and came back", "another cable")
    case .restarts: (.restarting, "restarted 2 times", "powered hub")
    case .restartsWithoutFix: (.restarting, "restarted 4 times", "powered hub")
    case .lineHeldLow: (.lineHeldLow, "always low", "TX")
    case .talkingBoard, .loginOfAnotherMachine: (.notAReceiver, "it is not a GNSS receiver", "locationctl devices")
    case .wrongSpeed: (.wrongSpeed, "baud rate is different", "serial:/dev/ttyACM0@BAUD")
    case .sirf: (.otherProtocol, "SiRF binary", "gpsctl -n /dev/ttyACM0")
    case .trimble: (.otherProtocol, "Trimble TSIP", "NMEA")
    case .garmin: (.otherProtocol, "Garmin", "NMEA")
    case .skytraq: (.otherProtocol, "SkyTraq", "NMEA")
    case .mediatek: (.otherProtocol, "MediaTek", "NMEA")
    case .septentrio: (.otherProtocol, "Septentrio SBF", "NMEA")
    case .novatel: (.otherProtocol, "NovAtel", "NMEA")
    case .casic, .casicAfterGreeting: (.otherProtocol, "CASIC binary", "NMEA")
    case .correctionsOnly: (.correctionsOnly, "only corrections (RTCM)", "NAV-PVT")
    case .textsOnly, .versionOnly: (.noPositionMessages, "position messages are switched off", "NMEA")
    case .fellSilent: (.fellSilent, "stopped sending", "Unplug it")
    case .antennaShort, .antennaShortByMonitor: (.antennaShort, "short circuit", "Unplug the antenna")
    case .antennaOpenOfCasic, .antennaOpenByMonitor: (.antennaOpen, "reports no antenna", "Plug in the antenna")
    case .spoofed: (.spoofed, "false satellite signals", "Do not trust its position")
    case .jammed, .jammedWithFix: (.jammed, "reports jamming", "USB 3")
    case .noSky, .noSkyOfUblox, .neverAnySatellite: (.noSatellites, "receives no satellites", "antenna")
    case .weakSignals: (.weakSignals, "strongest at 24 dB-Hz", "free view of the sky")
    case .coldStart: (.noFixYet, "no fix yet", "locationctl fix --timeout 300")
    case .frozen: (.frozen, "repeats the same position", "Unplug it for a minute")
    case .implausible: (.implausible, "jumps or speeds", "Unplug it for a minute")
    case .damaged, .damagedUBX: (.dataDamaged, "were damaged", "shorter cable")
    case .rollover, .rolloverOfUblox:
      (.weekRollover, "the year 2006, because of a GPS week rollover in its firmware", "firmware")
    case .futureDate: (.dateFalse, "the year 2079", "Unplug it for a minute")
    case .twoDimensional: (.flatFix, "without a height", "wider view")
    case .badGeometry: (.poorGeometry, "HDOP 8.4", "wider view")
    case .weakWithFix:
      (.weakSignals, "strongest satellite that the receiver on /dev/ttyACM0 receives has only 25 dB-Hz", "free view")
    }
  }

  var recording: Recording {
    switch self {
    case .unplugged:
      var recording = Recording(seconds: 5)
      recording.append(.gone, at: .seconds(6))
      return recording
    case .looseCable:
      var recording = Recording(seconds: 5)
      recording.append(.gone, at: .seconds(6))
      recording.append(.device(CapturedDevice(path: Recording.device)), at: .seconds(8))
      for second in 20..<26 { recording.append(Recording.located(second), at: .seconds(second - 11)) }
      return recording
    case .restarts:
      return Recording { second in
        (second % 5 == 4 ? Recording.text("u-blox AG - www.u-blox.com") : []) + Recording.located(second)
      }
    case .restartsWithoutFix:
      return Recording { second in
        (second % 3 == 2 ? Recording.text("u-blox ag - www.u-blox.com") : [])
          + Recording.searching(second, signals: [33, 35])
      }
    case .lineHeldLow: return Recording(everySecond: Array(repeating: 0, count: 60))
    case .talkingBoard: return Recording(everySecond: Array("temperature: 21.5 C, humidity: 40 %\r\n".utf8))
    case .loginOfAnotherMachine: return Recording(everySecond: Array("\r\nraspberrypi login: \r\nPassword: \r\n".utf8))
    case .wrongSpeed:
      return Recording { LineGarbler.garble(Recording.located($0), talked: 14_400, received: 9600) }
    case .sirf: return Recording(everySecond: Foreign.sirf)
    case .trimble: return Recording(everySecond: Foreign.trimble)
    case .garmin: return Recording(everySecond: Foreign.garmin)
    case .skytraq: return Recording(everySecond: Foreign.skytraq)
    case .mediatek: return Recording(everySecond: Foreign.mediatek)
    case .septentrio: return Recording(everySecond: Foreign.septentrio)
    case .novatel: return Recording(everySecond: Foreign.novatel)
    case .casic: return Recording(everySecond: Foreign.casic)
    case .casicAfterGreeting: return Recording(everySecond: Recording.text("IC=AT6558") + Foreign.casic)
    case .correctionsOnly: return Recording(everySecond: Foreign.rtcm)
    case .textsOnly: return Recording(everySecond: Recording.text("ANTSTATUS=OK"))
    case .versionOnly:
      return Recording(everySecond: UBXFrame.encode(class: 0x05, id: 0x01, payload: [0x06, 0x01]))
    case .fellSilent:
      var recording = Recording(seconds: 5)
      // Time advances, and nothing comes.
      recording.append(.scan([]), at: .seconds(12))
      return recording
    case .antennaShort: return Recording { Recording.text("ANTSTATUS=SHORT") + Recording.searching($0, signals: []) }
    case .antennaOpenOfCasic:
      return Recording { Recording.text("ANTENNA OPEN") + Recording.searching($0, signals: [18]) }
    case .antennaShortByMonitor: return Recording { Foreign.monHW(antenna: 3) + Recording.searching($0, signals: []) }
    case .antennaOpenByMonitor:
      return Recording { Foreign.monRF(antenna: 4, jamming: 0) + Recording.searching($0, signals: []) }
    case .spoofed: return Recording { Foreign.navSTATUS(spoofing: 2) + Recording.located($0) }
    case .jammed: return Recording { Foreign.monRF(antenna: 2, jamming: 3) + Recording.searching($0, signals: [20]) }
    case .jammedWithFix: return Recording { Foreign.monHW(jamming: 3) + Recording.located($0) }
    case .noSky: return simulated { $0.faults = [.lossOfFix(.zero ..< .seconds(60))] }
    case .noSkyOfUblox:
      return simulated(.ublox8) { $0.faults = [.lossOfFix(.seconds(4) ..< .seconds(60))] }
    case .neverAnySatellite: return Recording { Recording.searching($0, signals: []) }
    case .weakSignals: return Recording { Recording.searching($0, signals: [24, 21, 19]) }
    case .coldStart: return simulated { $0.coldStart = .cold }
    case .frozen: return simulated { $0.faults = [.frozenPosition(.seconds(2) ..< .seconds(60))] }
    case .implausible:
      // Half a degree back and forth, every second.
      return Recording { Recording.located($0, latitude: $0.isMultiple(of: 2) ? "4717.1000" : "4747.1000") }
    case .damaged: return simulated { $0.faults = [.corruption(every: 6)] }
    case .damagedUBX: return simulated(.ublox9) { $0.faults = [.corruption(every: 4)] }
    case .rollover: return simulated { $0.faults = [.weekRollover] }
    case .rolloverOfUblox: return simulated(.ublox7) { $0.faults = [.weekRollover] }
    case .futureDate: return Recording { Recording.located($0, date: "010879") }
    case .twoDimensional: return simulated { $0.coldStart.fix3D = .seconds(60) }
    case .badGeometry: return Recording { Recording.located($0, hdop: "8.40") }
    case .weakWithFix: return Recording { Recording.located($0, signals: [25, 24, 22, 21]) }
    }
  }

  private func simulated(
    _ dialect: Dialect = .nmea411, _ change: (inout SimulatedReceiver.Configuration) -> Void
  ) -> Recording {
    var configuration = SimulatedReceiver.Configuration()
    configuration.dialect = dialect
    configuration.trajectory = .line(
      from: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455), course: Angle(degrees: 40),
      metersPerSecond: 12)
    change(&configuration)
    return Recording(configuration)
  }
}
