import LinuxIO

/// The machine's secret key, which determines the grid of reduced positions. It is created once and kept, because the
/// cells of a second grid would narrow the position down.
package enum GridKey {
  package typealias Key = (low: UInt64, high: UInt64)

  /// Why there is no key, so that no reduced position is sent.
  package enum Problem: Error, Hashable, Sendable {
    /// The file is not a key: its size is `size` bytes.
    case damaged(path: String, size: Int)
    /// The file cannot be read, or the new key cannot be stored.
    case system(path: String, errno: Int32)
  }

  private static let fileName = "grid-key"
  private static let size = 16

  /// Loads the key of a state folder. With `nil` nothing is stored, and the key is lost when the process ends. If there
  /// is no key yet, a new one is created, which is on disk when this returns. An existing file is never replaced.
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
    // Uses the kernel's random source (getrandom(2)).
    var random = SystemRandomNumberGenerator()
    return (random.next(), random.next())
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
