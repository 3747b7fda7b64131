/// How much a finding matters. The first of `allCases` is mended first.
package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  /// There is no position, or none that can be believed.
  case stops
  /// There is a position, and it is or will be worse than it need be.
  case degrades
  /// Nothing is wrong; good to know.
  case note

  package static func < (a: Severity, b: Severity) -> Bool { a.order < b.order }

  private var order: Int {
    switch self {
    case .stops: 0
    case .degrades: 1
    case .note: 2
    }
  }
}
