package import Geodesy
import LinuxIO

/// Writes the file of one day, which replaces the old one when it is complete.
struct ImportedDayFile: ~Copyable {
  /// The size of one write, bytes.
  private static let pieceSize = 64 * 1024

  private var file: NewFile
  private let number: UInt64
  private var index: UInt32
  private var block: TrackBlockEncoder
  private var last: TrackRow
  private var pending: [UInt8]
  /// The figures of the fixes that were appended.
  private(set) var figures: TrackFigures

  /// - Parameter time: the time of the first fix.
  init(path: String, log: String, time: GNSSTime) throws(SystemError) {
    let file = try NewFile(path: path, replacing: true)
    var header = SegmentHeader(
      number: .random(in: .min ... .max), log: log, bootID: nil, time: time, timeValidity: .confirmed,
      arrival: Instant(nanoseconds: time.nanosecondsSince1970))
    header.isOneDay = true
    number = header.number
    pending = header.bytes + header.bytes
    // Not default values: if the file cannot be created, Swift 6.2.3, which builds for arm64, would destroy them.
    index = UInt32(SegmentHeader.blocksOffset / TrackBlock.size)
    block = TrackBlockEncoder()
    last = TrackRow()
    figures = TrackFigures()
    self.file = file
  }

  /// Appends a fix, preceded by an interruption if the fix is not connected to the previous one.
  mutating func append(_ fix: PositionFix, afterInterruption: Bool) throws(SystemError) {
    guard let row = TrackRow(fix, source: 0, previous: last) else { return }
    if afterInterruption {
      try add(TrackRow(.gap, neighbour: row))
      figures.add(.interruption(.gap))
    }
    try add(row)
    figures.add(.fix(fix))
    last = row
  }

  private mutating func add(_ row: TrackRow) throws(SystemError) {
    if block.append(row) { return }
    try finishBlock()
    _ = block.append(row)
  }

  private mutating func finishBlock() throws(SystemError) {
    pending += block.finish(segment: number, index: index)
    index += 1
    guard pending.count >= Self.pieceSize else { return }
    try file.append(pending)
    pending.removeAll(keepingCapacity: true)
  }

  /// Waits until the file is on disk and gives it its name. The caller synchronizes the folder.
  consuming func finish() throws(SystemError) {
    if !block.isEmpty { try finishBlock() }
    if !pending.isEmpty { try file.append(pending) }
    try file.finish()
  }
}

/// Reads the imported fixes of some days, oldest first; each fix carries whether an interruption precedes it.
struct ImportedFixReader: ~Copyable {
  private let folder: ImportedFolder
  private var days: ArraySlice<ImportedDay>
  private var reader: SegmentReader?
  /// Entries of the current block that were not returned yet, in reverse order.
  private var entries: [TrackEntry] = []
  private(set) var damage = TrackDamage()

  init(_ folder: ImportedFolder, _ days: [ImportedDay]) {
    self.folder = folder
    self.days = days[...]
  }

  /// The next fix; `nil` at the end.
  mutating func next() -> ImportedFix? {
    var isInterrupted = false
    while true {
      while let entry = entries.popLast() {
        switch entry {
        case .interruption: isInterrupted = true
        case .fix(let fix): return ImportedFix(fix, afterInterruption: isInterrupted)
        }
      }
      let block = reader?.next(&damage)
      if reader?.takeHole() ?? false { isInterrupted = true }
      if let block {
        entries = block.reversed()
      } else {
        guard let day = days.popFirst() else { return nil }
        reader = SegmentReader(path: folder.path(of: day.date), key: nil, damage: &damage)
      }
    }
  }
}

/// An imported fix, and whether an interruption precedes it.
package struct ImportedFix: Hashable, Sendable {
  package var fix: PositionFix
  package var isAfterInterruption: Bool

  package init(_ fix: PositionFix, afterInterruption: Bool) {
    self.fix = fix
    isAfterInterruption = afterInterruption
  }

  /// If consecutive fixes come from different sources and are further apart in time than this, an interruption
  /// separates them.
  static let longestJoint: Duration = .seconds(60)

  /// Whether two fixes are the same: files contain milliseconds and about 7 decimals of a degree, NMEA sometimes only
  /// thousandths of a minute (1.9 m).
  static func isSame(_ one: PositionFix, _ other: PositionFix) -> Bool {
    // Cheap comparisons first: a hostile file may contain thousands of fixes with the same time. A degree of latitude
    // is at least 110.5 km.
    isSameTime(one.time, other.time)
      && abs(one.coordinate.latitude.degrees - other.coordinate.latitude.degrees) * 110_500 <= samePlace.value
      && Geodesic.inverse(from: one.coordinate, to: other.coordinate).distance <= samePlace
  }

  static let timeTolerance: Duration = .milliseconds(1)
  private static let samePlace = Meters(2)

  private static func isSameTime(_ one: GNSSTime, _ other: GNSSTime) -> Bool {
    (one < other ? other - one : one - other) <= timeTolerance
  }
}
