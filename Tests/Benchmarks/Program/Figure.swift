/// One measured figure, as a line of JSON.
struct Figure {
  let name: String
  let value: Double
  let unit: String
  /// The target value.
  var reach: Double?
  /// The program or method with which the value is compared, measured in the same run.
  var peer: String?
  var peerValue: Double?

  func write() {
    var line = "{\"name\":\"\(name)\",\"value\":\(Self.rounded(value)),\"unit\":\"\(unit)\""
    if let reach { line += ",\"reach\":\(Self.rounded(reach))" }
    if let peer, let peerValue { line += ",\"peer\":\"\(peer)\",\"peerValue\":\(Self.rounded(peerValue))" }
    print(line + "}")
  }

  /// Numbers below ten get hundredths, others tenths; whole numbers stay whole.
  static func rounded(_ value: Double) -> String {
    let parts = abs(value) < 10 ? 100.0 : 10
    let rounded = (value * parts).rounded() / parts
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
