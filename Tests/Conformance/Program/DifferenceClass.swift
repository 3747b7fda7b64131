/// The file of known differences.
struct ClassFile: Codable {
  /// The version of gpsd whose recordings and source lines the classes name.
  let version: String
  /// By protocol: the share of the epochs that must agree in every field, of those in which the receiver does not itself report
  /// "no fix".
  let least: [String: Double]
  let classes: [DifferenceClass]

  func least(of kind: ReceiverLog.Kind) -> Double { least[kind.rawValue] ?? 1 }
}

/// A known kind of difference, as described in the file of classes.
struct DifferenceClass: Codable {
  /// A name for tables.
  let name: String
  /// The fields that differ.
  let fields: [Difference]
  /// The logs with this difference, by their names without `.log`.
  let logs: [String]
  /// The condition that the epoch must meet, as far as the epoch shows it.
  let condition: Condition
  /// The receiver itself has no fix, and gpsd reports one: there is nothing to agree on, and the required share does not count
  /// the epoch.
  var isWithheld: Bool { condition == .receiverDeniesFix || condition == .timeOnly }
  /// Which side is right, and why.
  let reason: String
  /// The file and line in gpsd's source, in the version for which the classes were made, or in this package.
  let source: String

  func holds(_ field: Difference, at epoch: EpochContext) -> Bool {
    fields.contains(field) && logs.contains(epoch.log.shortName) && condition.holds(at: epoch)
  }
}
