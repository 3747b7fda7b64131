import LinuxIO

/// The machine's secret that places the grid of reduced positions: made once, and kept, as a second grid would tell more than one.
enum GridKey {
  typealias Key = (low: UInt64, high: UInt64)

  private static let fileName = "grid-key"
  private static let size = 16

  /// The key of a state folder; `nil`: nothing is kept there, and the key goes with the process.
  static func load(from folder: String?) -> Key {
    guard let folder else { return fresh() }
    let path = "\(folder)/\(fileName)"
    if let bytes = try? StateFile.read(path, maximumSize: size), bytes.count == size {
      return (number(bytes[..<8]), number(bytes[8...]))
    }
    let key = fresh()
    let bytes = [key.low, key.high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
    // Where it cannot be kept there is another one next time: a state folder that cannot be written is told elsewhere.
    try? StateFile.write(path, bytes, waitsForDisk: false)
    return key
  }

  private static func fresh() -> Key {
    // The kernel's (getrandom(2)).
    var random = SystemRandomNumberGenerator()
    return (random.next(), random.next())
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
