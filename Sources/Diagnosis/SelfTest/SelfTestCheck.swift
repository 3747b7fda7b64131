/// One line of the list that `selftest` prints: what was checked, and the result.
package struct SelfTestCheck: Hashable, Sendable {
  package var id: SelfTestCheckID
  package var outcome: SelfTestOutcome
  /// The result, or why there is none, in one sentence. It contains no position, path, serial number or hardware address.
  package var sentence: String
  /// The measured values.
  package var figures: [SelfTestFigure] = []
  /// The findings of `doctor` that this check contains, the most important first.
  package var findings: [FindingCode] = []

  init(_ id: SelfTestCheckID, _ outcome: SelfTestOutcome, _ sentence: String, _ figures: [SelfTestFigure?] = []) {
    self.id = id
    self.outcome = outcome
    self.sentence = sentence
    self.figures = figures.compactMap(\.self)
  }
}

/// The checks, in the order of the list. Their names are stable: scripts and reports contain them.
package enum SelfTestCheckID: String, Hashable, Sendable, CaseIterable {
  /// What `doctor` finds in the machine: power, USB, consoles, disk, clock, settings.
  case machine
  /// What `doctor` finds in the receivers and in the access to them.
  case receiver
  case firstFix = "first-fix"
  case updates
  case radius
  case clock
  case settings
  case secondStart = "second-start"
  case replug
  case cpu
  case memory
  case temperature
  case cardWrites = "card-writes"
  case wifi
  case bluetooth
  case pps
}

/// The result of one check.
package enum SelfTestOutcome: String, Hashable, Sendable, CaseIterable {
  case passed
  /// Worse than it should be; the position is right nevertheless.
  case warning
  case failed
  /// Not checked; the sentence gives the reason.
  case skipped
}

/// A measured value; its unit is part of its name.
package struct SelfTestFigure: Hashable, Sendable {
  package var name: Name
  package var value: Double

  /// `nil` if the value is unknown or not finite.
  init?(_ name: Name, _ value: Double?) {
    guard let value, value.isFinite else { return nil }
    self.name = name
    self.value = value
  }

  package enum Name: String, Hashable, Sendable, CaseIterable {
    case seconds, fixes, updatesPerSecond, missedPercent, scatterMeters, radiusMeters, aheadSeconds, returnedSeconds,
      cpuPercent, residentMegabytes, temperatureCelsius, writtenKilobytes, machineWrittenKilobytes, radios, blocked,
      sources, satellitesUsed

    /// Digits after the decimal point.
    package var decimals: Int {
      switch self {
      case .seconds, .updatesPerSecond, .missedPercent, .scatterMeters, .radiusMeters, .aheadSeconds, .returnedSeconds,
        .cpuPercent:
        2
      case .residentMegabytes, .temperatureCelsius: 1
      case .fixes, .writtenKilobytes, .machineWrittenKilobytes, .radios, .blocked, .sources, .satellitesUsed: 0
      }
    }
  }
}
