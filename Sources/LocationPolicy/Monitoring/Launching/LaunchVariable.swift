/// A variable of a command's environment, of a name that no other program takes an order from.
///
/// The one that runs the command takes no others: `LD_PRELOAD` of whoever has taken over the service would be code.
package struct LaunchVariable: Hashable, Sendable {
  package let name: String
  package let value: String

  /// What all names begin with.
  package static let prefix = "LOCATION_"
  /// Bytes.
  package static let (longestName, longestValue) = (64, 1024)

  /// `nil`: not `LOCATION_` and A–Z, 0–9, `_` behind it, a value with a NUL in it, or one of both is too long.
  package init?(_ name: String, _ value: String) {
    let rest = name.utf8.dropFirst(Self.prefix.utf8.count)
    guard name.utf8.starts(with: Self.prefix.utf8), !rest.isEmpty, name.utf8.count <= Self.longestName,
      rest.allSatisfy({ ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }),
      value.utf8.count <= Self.longestValue, !value.utf8.contains(0)
    else { return nil }
    (self.name, self.value) = (name, value)
  }
}
