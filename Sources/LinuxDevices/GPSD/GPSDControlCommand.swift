/// What gpsd is told through its control socket (gpsd(8), "ACCEPTING DEVICES AND INPUT SOURCES"; gpsdctl(8)).
package enum GPSDControlCommand: Hashable, Sendable {
  /// Take this device up.
  case add(String)
  /// Let it go.
  case remove(String)

  /// The longest name that is told: a path is shorter.
  private static let longestName = 1024

  /// The line that says so; `nil` where a name cannot be told in one: gpsd reads it up to the first blank.
  package var line: [UInt8]? {
    let (sign, name) =
      switch self {
      case .add(let name): ("+", name)
      case .remove(let name): ("-", name)
      }
    guard !name.isEmpty, name.utf8.count <= Self.longestName, name.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    return Array("\(sign)\(name)\n".utf8)
  }
}
