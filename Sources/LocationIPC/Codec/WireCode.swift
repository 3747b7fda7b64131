/// A choice that crosses the socket as a small number. Numbers are for ever: a new case gets a new one.
protocol WireCode: CaseIterable, Sendable {
  var wireCode: UInt64 { get }
}

extension WireCode {
  /// The case of that number; `nil`: this version knows none.
  init?(wireCode: UInt64) {
    guard let found = Self.allCases.first(where: { $0.wireCode == wireCode }) else { return nil }
    self = found
  }
}
