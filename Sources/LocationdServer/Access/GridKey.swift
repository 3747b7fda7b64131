import LinuxIO

/// The machine's secret key that places the grid of reduced positions: made once, and kept, as a second grid would tell more than one.
package enum GridKey {
  package typealias Key = (low: UInt64, high: UInt64)

  /// Why there is no key, and no reduced position is told.
  package enum Problem: Error, Hashable, Sendable {
    /// The file holds so many bytes, or more, which are no key.
    case damaged(path: String, size: Int)
    /// It cannot be read, or the first one not be kept.
    case system(path: String, errno: Int32)
  }

  private static let fileName = "grid-key"
  private static let size = 16

  /// The key of a state folder; `nil`: nothing is kept there, and the key goes with the process. Where there is none yet one is made,
  /// and is on the disk when this returns; nothing else is ever put in the place of one.
  package static func load(from folder: String?) throws(Problem) -> Key {
    guard let folder else { return fresh() }
    let path = "\(folder)/\(fileName)"
    let damage: [UInt8]?
    do throws(SystemError) {
      let found = try StateFile.read(path, maximumSize: 2 * size)
      let bytes = found ?? []
      if bytes.count == size { return (number(bytes[..<8]), number(bytes[8...])) }
      damage = found
    } catch {
      throw .system(path: path, errno: error.errno)
    }
    if let damage { throw .damaged(path: path, size: damage.count) }
    do throws(SystemError) {
      let key = fresh()
      let bytes = [key.low, key.high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
      try StateFile.write(path, bytes)
      return key
    } catch {
      throw .system(path: path, errno: error.errno)
    }
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
