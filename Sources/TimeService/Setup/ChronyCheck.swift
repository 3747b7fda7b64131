import Geodesy

/// A finding of `time setup` about a chrony configuration.
package enum ChronyFinding: Hashable, Sendable {
  /// The folder for additional files is not read.
  case folderNotRead(String)
  /// The configuration has a line for this service already.
  case present(line: ChronyLine)
  /// It has several such lines: chronyd can bind a socket only once, and does not start.
  case socketTwice(line: ChronyLine)
  /// The option `delay` is smaller than twice the error of the receiver's delay: chrony rejects the source.
  case delayTooSmall(line: ChronyLine, seconds: Double, atLeast: Double)
  /// The option `offset` corrects a delay that this service has corrected already.
  case offsetTwice(line: ChronyLine, seconds: Double)
  /// Another receiver, usually the same one through gpsd: chrony would count one source twice.
  case otherReceiver(line: ChronyLine)
  /// The option `lock` names no source.
  case unknownLock(line: ChronyLine, name: String)
  /// A PPS device without `lock`: its seconds come from network servers, and are missing without a network.
  case pulseWithoutLock(line: ChronyLine)
  /// Another line uses the same PPS device.
  case pulseTwice(line: ChronyLine)
  /// A clock that is far off at the start is not set for hours.
  case noStep

  /// Checks the main file together with the files that it includes.
  /// `folder`: where the lines of this service are to be written; `delay`: what the receiver's delay requires.
  package static func check(
    _ configuration: ChronyConfiguration, folder: String = "/etc/chrony/conf.d", delay: ReceiverDelay? = nil
  ) -> [ChronyFinding] {
    let clocks = configuration.referenceClocks
    let own = clocks.filter { $0.driver == "SOCK" && $0.parameter == ChronySnippet.socketPath }
    var findings: [ChronyFinding] = []
    if own.isEmpty, !configuration.folders.contains(folder) { findings.append(.folderNotRead(folder)) }
    for (index, clock) in own.enumerated() {
      findings.append(index == 0 ? .present(line: clock.line) : .socketTwice(line: clock.line))
      findings += options(of: clock, delay)
    }
    findings += receivers(clocks) + pulses(clocks)
    if !configuration.stepsClock { findings.append(.noStep) }
    return findings
  }

  private static func options(
    of clock: ChronyConfiguration.ReferenceClock, _ delay: ReceiverDelay?
  ) -> [ChronyFinding] {
    var findings: [ChronyFinding] = []
    let needed = ChronySnippet.delay(uncertaintySeconds: delay?.uncertaintySeconds ?? 0.1)
    // Without the option it is a nanosecond.
    let set = clock.values["delay"].map { Double($0) ?? 0 } ?? 1e-9
    if set < needed - 1e-9, !clock.flags.contains("noselect") {
      findings.append(.delayTooSmall(line: clock.line, seconds: set, atLeast: needed))
    }
    if let offset = clock.values["offset"].flatMap(Double.init), offset != 0 {
      findings.append(.offsetTwice(line: clock.line, seconds: offset))
    }
    return findings
  }

  private static func receivers(_ clocks: [ChronyConfiguration.ReferenceClock]) -> [ChronyFinding] {
    clocks.filter { clock in
      switch clock.driver {
      case "SHM": true
      // gpsd's names: chrony.ttyACM0.sock, chrony.clk.ttyACM0.sock.
      case "SOCK": clock.parameter.holds("/chrony.") && !clock.parameter.holds("locationd")
      default: false
      }
    }
    .map { .otherReceiver(line: $0.line) }
  }

  private static func pulses(_ clocks: [ChronyConfiguration.ReferenceClock]) -> [ChronyFinding] {
    let names = Set(clocks.compactMap { $0.values["refid"] })
    var devices: Set<String> = []
    var findings: [ChronyFinding] = []
    for clock in clocks {
      if clock.driver == "PPS" {
        if !devices.insert(clock.parameter).inserted { findings.append(.pulseTwice(line: clock.line)) }
        if clock.values["lock"] == nil { findings.append(.pulseWithoutLock(line: clock.line)) }
      }
      if let lock = clock.values["lock"], !names.contains(lock) {
        findings.append(.unknownLock(line: clock.line, name: lock))
      }
    }
    return findings
  }
}
