import LocationIPC

/// The time for the machine's clocks.
extension Diagnosis {
  var timeFindings: [Finding] {
    guard let time else { return [] }
    return time.receivers.flatMap(pulseFindings) + time.sinks.compactMap(sinkFinding) + clockFindings(time.clock)
  }

  /// set-clock is on, and the helper cannot set the clock.
  private func clockFindings(_ state: ClockSettingState?) -> [Finding] {
    guard state == .disabled || state == .noHelper else { return [] }
    return [
      Finding(
        .clockCannotBeSet, .degrades,
        state == .disabled
          ? "The helper of locationd has no right to set the system's clock, although set-clock is on."
          : "The helper of locationd that sets the system's clock does not answer.",
        command: "sudo locationctl time set-clock on")
    ]
  }

  private func pulseFindings(_ receiver: ReceiverTimeReport) -> [Finding] {
    let pulse = SafeText.plain(receiver.pulse ?? "the PPS device")
    var findings: [Finding] = []
    if receiver.pulseProblems.contains(.pulseWithoutLock) {
      findings.append(
        Finding(
          .pulseWithoutLock, .degrades,
          "Pulses arrive at \(pulse), but the receiver has no fix: it makes them with its own clock, which drifts.",
          command: "Give the antenna a free view of the sky, or set the receiver to send pulses only with a fix.",
          device: receiver.device))
    }
    if receiver.pulseProblems.contains(.lockWithoutPulse) {
      findings.append(
        Finding(
          .lockWithoutPulse, .degrades, "The receiver has a fix, but no pulse arrives at \(pulse).",
          command: "Check the wire, the pin of dtoverlay=pps-gpio in config.txt, and 'sudo ppstest /dev/\(pulse)'.",
          device: receiver.device))
    }
    if receiver.pulseProblems.contains(.pulseOffSecond) {
      findings.append(
        Finding(
          .pulseOffSecond, .degrades, "The pulses at \(pulse) do not mark the seconds of the receiver's messages.",
          command: "sudo locationctl time calibrate", device: receiver.device))
    }
    return findings
  }

  private func sinkFinding(_ sink: TimeSinkReport) -> Finding? {
    let name = SafeText.plain(sink.name)
    switch sink.state {
    case .unused, .receiving: return nil
    case .absent:
      return Finding(
        .clockSocketMissing, .degrades, "chronyd does not get the receivers' time: there is no socket \(name).",
        command: "sudo locationctl time setup")
    case .notInSettings:
      return Finding(
        .clockSocketDenied, .degrades,
        "The helper of locationd sends no time to \(name), because locationd.conf does not contain it.",
        command: "sudo locationctl time setup")
    case .denied, .noHelper, .failed:
      return Finding(
        .clockSocketDenied, .degrades, "The receivers' time cannot be sent to \(name).",
        command: "sudo systemctl enable --now location-time.socket")
    }
  }
}
