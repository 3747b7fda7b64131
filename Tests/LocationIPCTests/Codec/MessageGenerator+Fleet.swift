import FleetDestinations
import Geodesy
import LocationIPC

extension MessageGenerator {
  mutating func fleetRequest() -> FleetRequest {
    switch int(0...7) {
    case 0: .list
    case 1: .add(destination())
    case 7: .change(name: text(), text(), maybe { $0.one(of: FleetRequest.Backlog.allCases) })
    case 2: .remove(name: text(), discards: flag())
    case 3: .pause(name: text(), maybe { .seconds($0.int(1...1_000_000)) })
    case 4: .resume(name: text())
    case 5: .test(name: text())
    default: .send(name: text())
    }
  }

  /// The settings have tests of their own.
  private mutating func destination() -> FleetDestination {
    let texts = [
      "name a\naddress mqtts://example.org\n", "name b_2\naddress osmand+https://example.org:5055/?id=1\nrate 5\n",
      "name c\naddress mqtt://localhost\nhide 52.1,-0.3,300 home\nschedule Mo-Fr 07:00-18:00\nevents yes\nevents-of 0,7\n",
    ]
    guard let destination = try? FleetDestination(text: one(of: texts)) else { preconditionFailure("a valid text") }
    return destination
  }

  mutating func fleetAnswer() -> FleetAnswer {
    if flag() { return .destinations(list(upTo: 4) { $0.fleetReport() }) }
    return .tested(
      FleetTestResult(
        session: maybe { $0.fleetSession() }, reply: maybe { $0.fleetReply() },
        problem: maybe { $0.one(of: FleetProblem.allCases) }))
  }

  private mutating func fleetSession() -> FleetSession {
    var session = FleetSession(version: one(of: [0, 4, 5]))
    session.receiveMaximum = maybe { UInt16($0.int(1...65_535)) }
    session.maximumPacket = maybe { UInt32($0.int(0...1 << 31)) }
    session.maximumQoS = one(of: FleetQoS.allCases)
    session.canRetain = flag()
    return session
  }

  private mutating func fleetReply() -> FleetReply {
    flag()
      ? .mqtt(UInt8(int(0...255))) : .http(UInt16(int(100...999)), retryAfter: maybe { UInt32($0.int(0...86_400)) })
  }

  mutating func fleetReport() -> FleetReport {
    func time(_ generator: inout MessageGenerator) -> GNSSTime {
      GNSSTime(nanosecondsSince1970: Int64(generator.int(0...1 << 60)))
    }
    var report = FleetReport(
      name: text(), address: text(), kind: one(of: FleetKind.allCases), state: one(of: FleetReport.State.allCases))
    report.problem = maybe { $0.one(of: FleetProblem.allCases) }
    report.reply = maybe { $0.fleetReply() }
    (report.waiting, report.setAside, report.bytes) = (int(0...1_000_000), int(0...9), int(0...1 << 40))
    report.oldest = maybe { time(&$0) }
    report.unrecorded = int(0...1_000_000)
    report.lastAcknowledged = maybe { time(&$0) }
    report.lost = maybe { FleetLoss(count: $0.int(1...1_000_000), from: time(&$0), to: time(&$0)) }
    report.version = maybe { UInt8($0.int(0...5)) }
    report.pausedUntil = maybe { time(&$0) }
    (report.isReduced, report.isClockUnsure, report.isUnencrypted) = (flag(), flag(), flag())
    return report
  }

  mutating func fleetFailure() -> FleetFailure {
    switch int(0...11) {
    case 0: .unknown(name: text(), known: list(upTo: 3) { $0.text() })
    case 1: .exists(name: text())
    case 2: .tooMany(limit: int(0...99))
    case 3: .invalid(settingsError())
    case 4: .needsDaemon
    case 5: .notInCharge
    case 6: .off
    case 7: .notAcknowledged(maybe { $0.one(of: FleetProblem.allCases) })
    case 8: .otherServer(waiting: int(0...99))
    case 9: .notNow(maybe { $0.one(of: FleetReport.State.allCases) })
    case 10: .noClock
    default: .cannotKeep(path: text(), reason: text())
    }
  }

  private mutating func settingsError() -> FleetSettingsError {
    switch int(0...9) {
    case 0: .badName(text())
    case 1: .badAddress
    case 2: .secretInAddress
    case 3: .unencrypted
    case 4: .badValue(setting: text())
    case 5: .excluded(text(), text())
    case 6: .notForKind(setting: text(), one(of: FleetKind.allCases))
    case 7: .missing(setting: text())
    case 8: .unknownSetting(text())
    default: .tooLong(limit: int(0...99))
    }
  }
}
