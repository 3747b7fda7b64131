/// A segment as its folder lists it.
package struct SegmentFile: Hashable, Comparable, Sendable {
  /// Counts up from 1 in the order of recording, whatever the clocks said.
  package let sequence: Int
  /// Length in bytes.
  package let size: Int
  /// Bytes that it takes from the file system.
  package let sizeOnDisk: Int

  /// Eight digits, so that names sort as they were made.
  package static func name(_ sequence: Int) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".track"
  }

  /// The sequence number that a file's name tells; `nil` for other files.
  static func sequence(of name: String) -> Int? {
    guard name.hasSuffix(".track"), let sequence = Int(name.dropLast(6)), sequence > 0, self.name(sequence) == name
    else { return nil }
    return sequence
  }

  package static func < (a: SegmentFile, b: SegmentFile) -> Bool { a.sequence < b.sequence }
}
