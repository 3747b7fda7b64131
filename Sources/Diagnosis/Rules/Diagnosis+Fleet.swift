import FleetDestinations
import Geodesy
import LocationIPC

/// Findings about destinations of positions. There is a position; it does not arrive where it should.
extension Diagnosis {
  var fleetFindings: [Finding] { fleet.flatMap { findings(of: $0) } }

  private func findings(of report: FleetReport) -> [Finding] {
    var all: [Finding] = []
    let who = "'\(SafeText.plain(report.name))'"
    let word = SafeText.word(report.name)
    func add(_ code: FindingCode, _ severity: Severity, _ sentence: String, _ command: String) {
      all.append(Finding(code, severity, sentence, command: command, device: report.name))
    }
    switch report.state {
    case .refused, .waiting, .unheard:
      if let problem = report.problem {
        all.append(finding(of: problem, report, who, word))
      } else if let reply = report.reply {
        if let finding = finding(of: reply, who, word, report.name) { all.append(finding) }
      } else if report.state == .unheard, let finding = finding(of: .mqtt(0x10), who, word, report.name) {
        all.append(finding)
      }
    case .notAllowed:
      add(
        .fleetRefused, .degrades, "\(who) has no access to the location, so that nothing is sent to it.",
        "locationctl grants")
    case .idle, .connecting, .connected, .paused, .resting: break
    }
    if report.setAside > 0 {
      add(
        .fleetRefused, .note,
        "The server of \(who) called \(report.setAside) record\(report.setAside == 1 ? "" : "s") invalid, which "
          + "\(report.setAside == 1 ? "was" : "were") left out.", "locationctl fleet test \(word)")
    }
    if report.isClockUnsure {
      add(
        .fleetClock, .note,
        "Positions for \(who) are not recorded, and are lost, until a receiver or a time server has confirmed the time"
          + (report.unrecorded > 0 ? " (\(report.unrecorded) so far)." : "."),
        "sudo timedatectl set-ntp true")
    } else if report.unrecorded > 0 {
      add(
        .fleetClock, .note,
        "\(report.unrecorded) position\(report.unrecorded == 1 ? " for \(who) was" : "s for \(who) were") not recorded, because the time was "
          + "not confirmed when locationd had started.", "sudo timedatectl set-ntp true")
    }
    if let lost = report.lost {
      add(
        .fleetLost, .degrades,
        "\(lost.count) position\(lost.count == 1 ? " for \(who) was" : "s for \(who) were") deleted unsent, because the outbox was full.",
        "Connect this machine more often, or keep more: locationctl fleet add \(word) --replace --keep 256MB"
      )
    }
    if report.version == 4 {
      add(
        .fleetOldProtocol, .note,
        "The broker of \(who) has no MQTT 5: it does not report positions that it refuses or that nobody receives.",
        "Update the broker: mosquitto 2, for example.")
    }
    return all
  }

  private func finding(of problem: FleetProblem, _ report: FleetReport, _ who: String, _ word: String) -> Finding {
    let test = "locationctl fleet test \(word)"
    let (code, sentence, command): (FindingCode, String, String) =
      switch problem {
      case .libraryMissing:
        (
          .fleetLibrary, "A library for the connection to \(who) is not installed.",
          "sudo apt install \(report.kind == .mqtt ? "libmosquitto1" : "libcurl4")"
        )
      case .credentialUnreadable:
        (
          .fleetFiles, "A file with the password, the certificate or the key for \(who) cannot be read by locationd.",
          "sudo chown locationd FILE; sudo chmod 600 FILE"
        )
      case .serverNotTrusted:
        // libmosquitto does not report which of them it is.
        (
          .fleetCertificate,
          "The certificate of the server of \(who) is not trusted, or is for another name"
            + (report.kind == .mqtt ? ", or is not valid by this machine's clock." : "."), test
        )
      case .certificateDate:
        (
          .fleetCertificate, "The certificate of the server of \(who) is not valid by this machine's clock.",
          "timedatectl   # if the clock is right, renew the certificate"
        )
      case .certificateRefused:
        (.fleetCredentials, "The server of \(who) refuses the certificate of this machine, or wants one.", test)
      case .badCredentials: (.fleetCredentials, "The server of \(who) refuses the account or the password.", test)
      case .notAuthorized:
        (
          .fleetRefused, "The server of \(who) does not allow this machine to publish there.",
          "Change the broker's ACL."
        )
      case .notFound: (.fleetRefused, "The server of \(who) has no such path or device.", test)
      case .takenOver:
        (
          .fleetRefused, "Another client with the same identifier is connected to the broker of \(who).",
          "Give one of the machines another name: locationctl fleet add \(word) --replace --as USER/DEVICE"
        )
      case .noSuchHost:
        (.fleetUnreachable, "The name of the server of \(who) is unknown.", "Check the address, and the DNS.")
      case .unreachable, .tooLate, .closed, .unavailable:
        (.fleetUnreachable, "The server of \(who) cannot be reached, or does not answer.", test)
      case .notUnderstood:
        (
          .fleetUnreachable,
          "What answers at the address of \(who) does not keep to its protocol, or speaks another one.", test
        )
      case .noAcknowledgement:
        (
          .fleetRefused, "The broker of \(who) confirms no messages (maximum quality of service 0).",
          "Use a broker with quality of service 1: mosquitto, for example."
        )
      case .helperFailed:
        (.fleetUnreachable, "The process with the connection to \(who) has failed.", "journalctl -u 'location-fleet@*'")
      }
    return Finding(code, .degrades, sentence, command: command, device: report.name)
  }

  private func finding(of reply: FleetReply, _ who: String, _ word: String, _ name: String) -> Finding? {
    let test = "locationctl fleet test \(word)"
    switch reply {
    case .mqtt(0), .http(200..<300, _): return nil
    case .mqtt(0x10):
      return Finding(
        .fleetUnheard, .degrades, "The broker of \(who) accepts the positions, but nobody has subscribed to them.",
        command: "Start the program that reads them, with a persistent session.", device: name)
    case .mqtt(0x97), .http(429, _), .http(500..., _):
      return Finding(
        .fleetUnreachable, .degrades, "The server of \(who) is busy, or a quota is exceeded.", command: test,
        device: name)
    case .http(401, _), .http(403, _):
      return Finding(
        .fleetCredentials, .degrades, "The server of \(who) refuses the account.", command: test, device: name)
    case .mqtt, .http:
      return Finding(
        .fleetRefused, .degrades, "The server of \(who) refuses the positions.", command: test, device: name)
    }
  }
}
