package import Geodesy

/// Reads a caster's list of mount points, line by line, from a text that may be divided into any pieces. Keeps only the
/// incomplete line.
package struct SourceTableReader: Sendable {
  /// Maximum size of a table, bytes and lines; the rest is cut off.
  package static let longestTable = 8 << 20
  package static let mostLines = 20_000
  /// Maximum length of a line, bytes; a longer line is skipped.
  package static let longestLine = 4096

  package private(set) var byteCount = 0
  package private(set) var lineCount = 0
  /// Lines `STR;…` that are too long or have too few fields.
  package private(set) var badLineCount = 0
  /// Whether nothing more is read: after `ENDSOURCETABLE`, at a bound (`isCut`), or after `finish`.
  package private(set) var isEnded = false
  /// Whether the table was cut off at a bound.
  package private(set) var isCut = false
  private var line: [UInt8] = []
  private var isSkipping = false

  package init() {}

  private static let mount = Array("STR;".utf8)
  private static let end = Array("ENDSOURCETABLE".utf8)

  /// Reads the next bytes, and calls `body` with each mount point that they complete.
  package mutating func push(_ bytes: Span<UInt8>, _ body: (MountPoint) -> Void) {
    for index in 0..<bytes.count {
      guard !isEnded else { return }
      byteCount += 1
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        endLine(body)
        if lineCount >= Self.mostLines { cut() }
      } else if line.count < Self.longestLine {
        if !isSkipping { line.append(byte) }
      } else if !isSkipping {
        isSkipping = true
        if line.starts(with: Self.mount) { badLineCount += 1 }
        line.removeAll(keepingCapacity: true)
      }
      if byteCount >= Self.longestTable { cut() }
    }
  }

  /// The connection was closed: the last line may have no end.
  package mutating func finish(_ body: (MountPoint) -> Void) {
    guard !isEnded else { return }
    if !line.isEmpty { endLine(body) }
    isEnded = true
  }

  private mutating func cut() {
    guard !isEnded else { return }
    (isEnded, isCut) = (true, true)
  }

  private mutating func endLine(_ body: (MountPoint) -> Void) {
    defer {
      line.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    lineCount += 1
    guard !isSkipping else { return }
    if line.starts(with: Self.end) {
      isEnded = true
    } else if line.starts(with: Self.mount) {
      if let mount = MountPoint(line.dropFirst(Self.mount.count)) { body(mount) } else { badLineCount += 1 }
    }
  }
}

/// The mount points of a table that may be meant by a name that the table does not have: first those whose names differ
/// only in upper and lower case, then the nearest.
package struct NearestMounts: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var mount: MountPoint
    /// Distance from `position`; `nil`: one of the two places is unknown.
    package var distance: Meters?
    /// Whether its name equals `name`, apart from upper and lower case.
    package var hasSameLetters = false
  }

  /// The name to look for; `nil`: none.
  package let name: String?
  private let letters: [UInt8]?
  package let position: Coordinate?
  package let limit: Int
  /// Best first, at most `limit`.
  package private(set) var entries: [Entry] = []
  /// Whether the table has the named mount point.
  package private(set) var hasNamed = false

  package init(named name: String? = nil, near position: Coordinate?, limit: Int) {
    self.name = name
    letters = name.map { Self.letters(of: $0) }
    self.position = position
    self.limit = max(1, limit)
  }

  package mutating func add(_ mount: MountPoint) {
    if mount.name == name { hasNamed = true }
    let distance = position.flatMap { here in
      mount.coordinate.map { Geodesic.inverse(from: here, to: $0).distance }
    }
    let entry = Entry(
      mount: mount, distance: distance, hasSameLetters: letters.map { $0 == Self.letters(of: mount.name) } ?? false)
    let index = entries.firstIndex { isBetter(entry, than: $0) } ?? entries.endIndex
    guard index < limit else { return }
    entries.insert(entry, at: index)
    if entries.count > limit { entries.removeLast() }
  }

  private func isBetter(_ entry: Entry, than other: Entry) -> Bool {
    if entry.hasSameLetters != other.hasSameLetters { return entry.hasSameLetters }
    switch (entry.distance, other.distance) {
    case (let distance?, let otherDistance?): return distance < otherDistance
    case (_?, nil): return true
    case (nil, _): return false
    }
  }

  private static func letters(of name: String) -> [UInt8] { name.utf8.map { ASCII.lowercased($0) } }
}
