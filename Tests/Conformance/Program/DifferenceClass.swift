/// The file of known differences.
struct ClassFile: Codable {
  /// gpsd's version whose recordings and source lines the classes name.
  let version: String
  /// By protocol: what share of the epochs must agree outright, in which the receiver does not itself say "no fix".
  let least: [String: Double]
  let classes: [DifferenceClass]

  func least(of kind: ReceiverLog.Kind) -> Double { least[kind.rawValue] ?? 1 }
}

/// A kind of difference that is known, as the file of classes describes it.
struct DifferenceClass: Codable {
  /// A word for tables.
  let name: String
  /// Which fields differ.
  let fields: [Difference]
  /// In which logs, by their names without `.log`.
  let logs: [String]
  /// What must be true of the epoch, where that can be told from it.
  let condition: Condition
  /// The receiver itself has no fix, and gpsd reports one: there is nothing to agree on, and the goal does not count it.
  var isWithheld: Bool { condition == .receiverDeniesFix || condition == .timeOnly }
  /// Who is right, and why.
  let reason: String
  /// gpsd's source, as file and line of the version that the classes were made with, or our own.
  let source: String

  func holds(_ field: Difference, at epoch: EpochContext) -> Bool {
    fields.contains(field) && logs.contains(epoch.log.shortName) && condition.holds(at: epoch)
  }
}
