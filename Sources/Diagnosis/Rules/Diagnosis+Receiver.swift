import Geodesy

/// Findings from a receiver's data.
extension Diagnosis {
  func receiverFindings(_ facts: ReceiverFacts) -> [Finding] {
    if let finding = lineFinding(facts) { return [finding] }
    var all = facts.hasFix ? fixFindings(facts) : [skyFinding(facts)]
    all += wordFindings(facts)
    return all
  }

  private func finding(
    _ code: FindingCode, _ severity: Severity, _ facts: ReceiverFacts, _ sentence: String, _ command: String
  ) -> Finding {
    Finding(code, severity, sentence, command: command, device: facts.device)
  }

  // MARK: - The line

  /// Why position messages never arrived, or stopped.
  private func lineFinding(_ facts: ReceiverFacts) -> Finding? {
    let port = name(facts.device)
    if facts.hasVanished {
      return finding(
        .vanished, .stops, facts,
        "The receiver on \(port) was disconnected during the check: its cable or its power supply is bad.",
        "Plug it in again with another cable, or into a powered hub.")
    }
    // The fixes come from gpsd, which understands the protocol.
    if facts.validFrames == 0, facts.hasFix { return nil }
    if facts.bytes == 0 { return silent(facts) }
    if facts.validFrames == 0 { return notUnderstood(facts) }
    if facts.positionMessages == 0 {
      if case .other = facts.byteClassification { return notUnderstood(facts) }
      return facts.correctionFrames == facts.validFrames
        ? finding(
          .correctionsOnly, .stops, facts, "The receiver on \(port) sends only corrections (RTCM) and no position.",
          "Switch on NMEA or UBX-NAV-PVT for this port with the manufacturer's tool.")
        : finding(
          .noPositionMessages, .stops, facts,
          "The receiver on \(port) sends data, but its position messages are switched off.",
          "Switch on NMEA or UBX-NAV-PVT with the manufacturer's tool, or unplug the receiver for a minute.")
    }
    if subject != .recording, facts.silence >= Self.silenceToSuspect {
      return finding(
        .fellSilent, .stops, facts,
        "The receiver on \(port) stopped sending during the check: its power supply or its cable is bad.",
        "Unplug it and plug it in again.")
    }
    return nil
  }

  /// Receivers send once a second, except for some that send every other second.
  private static let silenceToSuspect: Duration = .seconds(4)

  private func silent(_ facts: ReceiverFacts) -> Finding {
    let port = name(facts.device)
    if facts.lineErrors.map({ $0.breaks > 0 }) ?? false { return heldLow(facts) }
    return finding(
      .silent, .stops, facts, "\(port) received no data\(speeds(facts)).",
      isWired(facts)
        ? "Check the receiver's power, and that its TX goes to this port's RX." : "Unplug it and plug it in again.")
  }

  private func heldLow(_ facts: ReceiverFacts) -> Finding {
    finding(
      .lineHeldLow, .stops, facts,
      "The signal line of \(name(facts.device)) is always low: a wire is loose or wrong, or the receiver has no power.",
      "Check that the receiver has power and ground, and that its TX goes to this port's RX.")
  }

  private func notUnderstood(_ facts: ReceiverFacts) -> Finding {
    let port = name(facts.device)
    switch facts.byteClassification {
    case .zeros, .nothing: return heldLow(facts)
    case .text:
      return finding(
        .notAReceiver, .stops, facts,
        "The device on \(port) sends text, but no GNSS data: it is not a GNSS receiver.",
        "locationctl devices")
    case .other(let foreign):
      return finding(
        .otherProtocol, .stops, facts, "The receiver on \(port) uses \(foreign.rawValue), which is not supported.",
        Self.remedy(foreign, port: facts.device))
    case .noise:
      return finding(
        .wrongSpeed, .stops, facts,
        "\(port) received \(facts.bytes) bytes, but no GNSS data\(speeds(facts)): its baud rate is different, or its wiring is bad.",
        "locationctl fix --source \(SafeText.word("serial:\(facts.device)@BAUD"))")
    }
  }

  private static func remedy(_ foreign: UnsupportedProtocol, port: String) -> String {
    switch foreign {
    case .sirf: "gpsctl -n \(SafeText.word(port))"
    case .garmin: "Set it to NMEA in its menu, or use it through gpsd: locationctl fix --source gpsd"
    case .trimble, .skytraq, .mediatek, .casic, .septentrio, .novatel: "Set it to NMEA with the manufacturer's tool."
    }
  }

  private func speeds(_ facts: ReceiverFacts) -> String {
    guard !facts.speeds.isEmpty, isWired(facts) else { return "" }
    return " at \(facts.speeds.prefix(12).map(String.init).joined(separator: ", ")) baud"
  }

  /// Whether the port is connected to the receiver by wires with a baud rate.
  func isWired(_ facts: ReceiverFacts) -> Bool { port(facts.device)?.hasRealSpeed ?? !facts.speeds.isEmpty }

  // MARK: - The sky

  /// If the strongest satellite has fewer dB-Hz than this, the view of the sky is obstructed: outdoors it has 40 and
  /// more.
  private static let weakSignal = 30

  private func isWeak(_ facts: ReceiverFacts) -> Bool {
    facts.listsSatellites && (facts.strongestSignal ?? 0) < Self.weakSignal
  }

  private func skyFinding(_ facts: ReceiverFacts) -> Finding {
    let port = name(facts.device)
    // A passive antenna draws no current, so the receiver reports it as open although all is well.
    if isWeak(facts) || !facts.listsSatellites, let antenna = antenna(facts, .stops) { return antenna }
    if facts.isSpoofed { return spoofed(facts) }
    if facts.isJammed { return jammed(facts) }
    if facts.listsSatellites, facts.satellitesTracked == 0 {
      return finding(
        .noSatellites, .stops, facts, "The receiver on \(port) works, but receives no satellites.",
        "Plug in its antenna, and put it outside or at a window, facing up, away from USB 3 and HDMI.")
    }
    if isWeak(facts), let strongest = facts.strongestSignal {
      return finding(
        .weakSignals, .stops, facts,
        "The receiver on \(port) receives \(count(facts.satellitesTracked, "satellite")), the strongest at \(strongest) dB-Hz: too weak for a fix.",
        "Give its antenna a free view of the sky, away from USB 3 and HDMI.")
    }
    let received = facts.satellitesTracked > 0 ? "receives \(count(facts.satellitesTracked, "satellite")) but " : ""
    return finding(
      .noFixYet, .stops, facts,
      "The receiver on \(port) \(received)has no fix yet (the first fix takes about half a minute).",
      "locationctl fix --timeout 300")
  }

  private func antenna(_ facts: ReceiverFacts, _ severity: Severity) -> Finding? {
    let port = name(facts.device)
    switch facts.antenna {
    case .short:
      return finding(
        .antennaShort, severity, facts, "The receiver on \(port) reports a short circuit in its antenna.",
        "Unplug the antenna, and check its plug and cable.")
    case .open:
      return finding(
        .antennaOpen, severity, facts,
        "The receiver on \(port) reports no antenna: the antenna is not plugged in, or its cable is broken.",
        "Plug in the antenna, and check its cable.")
    case .good, nil: return nil
    }
  }

  private func jammed(_ facts: ReceiverFacts) -> Finding {
    finding(
      .jammed, .stops, facts,
      "The receiver on \(name(facts.device)) reports jamming: a device nearby is louder than the satellites.",
      "Move its antenna away from USB 3, HDMI, radios and screens.")
  }

  private func spoofed(_ facts: ReceiverFacts) -> Finding {
    finding(
      .spoofed, .stops, facts,
      "The receiver on \(name(facts.device)) reports false satellite signals (spoofing).",
      "Do not trust its position, and find out what transmits nearby.")
  }

  // MARK: - Reported data

  private func fixFindings(_ facts: ReceiverFacts) -> [Finding] {
    let port = name(facts.device)
    if facts.isSpoofed { return [spoofed(facts)] }
    switch facts.qualityFlag {
    case .frozen:
      return [
        finding(
          .frozen, .stops, facts, "The receiver on \(port) repeats the same position while it reports movement.",
          "Unplug it for a minute. On SiRF receivers, switch off static navigation.")
      ]
    case .implausible:
      return [
        finding(
          .implausible, .stops, facts, "The receiver on \(port) reports jumps or speeds that no vehicle can make.",
          "Unplug it for a minute to restart it.")
      ]
    case .jammed: return [jammed(facts)]
    case nil: break
    }
    var all: [Finding] = []
    if facts.isJammed { all.append(jammed(facts)) }
    if facts.antenna == .short, let finding = antenna(facts, .degrades) { all.append(finding) }
    if isWeak(facts), let strongest = facts.strongestSignal {
      all.append(
        finding(
          .weakSignals, .degrades, facts,
          "The strongest satellite that the receiver on \(port) receives has only \(strongest) dB-Hz, which is weak.",
          "Give its antenna a free view of the sky, away from USB 3 and HDMI."))
    }
    if facts.isFlat {
      all.append(
        finding(
          .flatFix, .degrades, facts,
          "The receiver on \(port) has a position without a height: it receives too few satellites.",
          "Give its antenna a wider view of the sky."))
    } else if let dilution = facts.horizontalDilution, dilution > Self.poorDilution {
      let tenths = Int((dilution * 10).rounded())
      all.append(
        finding(
          .poorGeometry, .degrades, facts,
          "The receiver on \(port) sees only part of the sky, which makes its position less accurate (HDOP \(tenths / 10).\(tenths % 10)).",
          "Give its antenna a wider view of the sky."))
    }
    if facts.isSimulated, subject != .recording {
      all.append(
        finding(
          .simulated, .note, facts, "The receiver on \(port) is simulated.", "locationctl doctor --source auto"))
    }
    return all
  }

  /// A horizontal dilution above this is reported. The position error is a few meters times the dilution.
  private static let poorDilution = 5.0
  /// Damaged frames are reported from this percentage of all frames on.
  private static let damageToSuspect = 5
  private static let framesToJudge = 20

  /// Other faults in the receiver's data, with or without a fix.
  private func wordFindings(_ facts: ReceiverFacts) -> [Finding] {
    let port = name(facts.device)
    var all: [Finding] = []
    if facts.restarts > 0 {
      all.append(
        finding(
          .restarting, facts.hasFix ? .degrades : .stops, facts,
          "The receiver on \(port) restarted \(count(facts.restarts, "time")) during the check: its power supply is failing.",
          "Plug it into a powered hub, with another cable."))
    }
    if facts.timesVanished > 0 {
      all.append(
        finding(
          .vanished, .degrades, facts,
          "The receiver on \(port) was disconnected \(count(facts.timesVanished, "time")) and came back: its cable or its power supply is bad.",
          "Use another cable, or a powered hub."))
    }
    let frames = facts.validFrames + facts.damagedFrames
    let lost = facts.lineErrors?.overruns ?? 0
    if frames >= Self.framesToJudge, facts.damagedFrames * 100 >= frames * Self.damageToSuspect {
      all.append(
        finding(
          .dataDamaged, .degrades, facts,
          "\(facts.damagedFrames) of \(frames) messages on \(port) were damaged"
            + (lost > 0
              ? ", because this machine lost \(lost) bytes." : ": a cable is bad or too long, or a wire is loose."),
          "Use a shorter cable, and check that the grounds are connected."))
    }
    if let speed = facts.speeds.last, isWired(facts), facts.timeReceived >= .seconds(3) {
      // The lower of the two rates counts: bytes that this machine received late seem to arrive faster than they were
      // sent, and a receiver whose clock was just set forward seems to send fewer bytes per second than it does. A byte
      // takes ten bits on the line.
      let arrived = Double(facts.bytesAtSpeed) / facts.timeReceived.inSeconds
      let share = min(arrived, facts.bytesPerReceiverSecond ?? arrived) * 10 / Double(speed)
      if share > 0.95 {
        all.append(
          finding(
            .lineTooSlow, .degrades, facts, "The receiver on \(port) sends more than \(speed) baud can carry.",
            "Set it to 115200 baud or to fewer messages with the manufacturer's tool."))
      }
    }
    return all + timeFindings(facts)
  }

  private func timeFindings(_ facts: ReceiverFacts) -> [Finding] {
    let port = name(facts.device)
    if let reported = facts.reportedDate, let floor = facts.dateFloor {
      let days = reported.daysSince1970 - floor.daysSince1970
      if days < -Self.daysOfSlack {
        return [
          finding(
            .weekRollover, .degrades, facts,
            "The receiver on \(port) reports the year \(reported.year), because of a GPS week rollover in its firmware; locationd corrects this, but other programs may not.",
            "Update its firmware, or let other programs get the date from locationctl.")
        ]
      }
      if days > Self.daysOfFuture {
        return [
          finding(
            .dateFalse, .degrades, facts,
            "The receiver on \(port) reports the year \(reported.year), which is impossible.",
            "Unplug it for a minute to restart it.")
        ]
      }
    }
    guard subject != .recording, let ahead = facts.aheadOfClock,
      ahead > Self.clockTolerance || ahead < .zero - Self.clockTolerance
    else { return [] }
    let seconds = Int(ahead.inSeconds.magnitude.rounded())
    return [
      finding(
        .clockWrong, .degrades, facts,
        "This machine's clock is \(seconds) s \(ahead > .zero ? "behind" : "ahead of") the receiver on \(port).",
        "sudo timedatectl set-ntp true")
    ]
  }

  /// The same as `EraResolver.daysOfSlack`.
  private static let daysOfSlack = 400
  /// A program is not used for longer than this without being rebuilt.
  private static let daysOfFuture = 7300
  private static let clockTolerance: Duration = .seconds(60)

  func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
