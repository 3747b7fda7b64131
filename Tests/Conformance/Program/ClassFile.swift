/// The file of known differences.
struct ClassFile: Codable {
  /// gpsd's version whose recordings and source lines the classes name.
  let version: String
  /// By protocol: what share of the epochs must agree outright, in which the receiver does not itself say "no fix".
  let least: [String: Double]
  let classes: [DifferenceClass]

  func least(of kind: ReceiverLog.Kind) -> Double { least[kind.rawValue] ?? 1 }
}
