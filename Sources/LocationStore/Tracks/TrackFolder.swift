package import Geodesy
package import LinuxIO
package import LocationPolicy

/// The folder of one log, with its segments `00000001.track` and so on.
package struct TrackFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The segments, oldest first; empty if there is no folder.
  package func segments() throws(SystemError) -> [SegmentFile] {
    try PrivateFolder.files(in: path) { file in
      SegmentFile.sequence(of: file.name).map {
        SegmentFile(sequence: $0, size: file.size, sizeOnDisk: file.sizeOnDisk)
      }
    }.sorted()
  }

  /// The path of a segment.
  package func path(of sequence: Int) -> String { "\(path)/\(SegmentFile.name(sequence))" }

  /// The header of a segment, from either copy; `nil` if neither is intact.
  package func header(of sequence: Int) -> SegmentHeader? {
    guard var input = try? SegmentInput(path: path(of: sequence)),
      let bytes = try? input.read(SegmentHeader.blocksOffset)
    else { return nil }
    return SegmentHeader.either(bytes.span)
  }

  /// Truncates the preallocated space of the newest segment if its writer did not close it; deletes the segment if
  /// nothing was written to it, not even a header.
  func trimNewest() throws(SystemError) {
    guard let newest = try segments().last else { return }
    let path = path(of: newest.sequence)
    // A segment that cannot be opened is left as it is; readers report it.
    guard var input = try? SegmentInput(path: path) else { return }
    var (used, position) = (0, 0)
    while true {
      let block = try input.read(TrackBlock.size)
      guard !block.isEmpty else { break }
      position += block.count
      if block.contains(where: { $0 != 0 }) { used = position }
    }
    if used == 0 {
      try FileChange.remove(path)
    } else if used < newest.size {
      try FileChange.cut(path, to: used)
    }
  }

  /// Deletes the oldest segments and imported days that exceed the retention limit; never the newest segment.
  ///
  /// - Parameters:
  ///   - coming: bytes that are about to be allocated.
  ///   - now: the current time; `nil` if it is unknown: then nothing counts as too old.
  package func retain(_ retention: LogRetention, coming: Int, now: GNSSTime?) throws(SystemError) {
    var rest = try segments()[...]
    let imports = ImportedFolder(of: self)
    var importedDays = try imports.days()[...]
    switch retention {
    case .megabytes(let megabytes):
      var size = rest.reduce(coming) { $0 + $1.sizeOnDisk } + importedDays.reduce(0) { $0 + $1.sizeOnDisk }
      while size > megabytes * 1_000_000 {
        if let day = importedDays.first, rest.count <= 1 || isNotAfter(day.date, rest.first) {
          try FileChange.remove(imports.path(of: day.date))
          size -= importedDays.removeFirst().sizeOnDisk
        } else if rest.count > 1, let oldest = rest.popFirst() {
          try FileChange.remove(path(of: oldest.sequence))
          size -= oldest.sizeOnDisk
        } else {
          return
        }
      }
    case .days(let days):
      guard let now else { return }
      let first = (now + .seconds(-86_400 * days)).date
      for day in importedDays where first.map({ day.date < $0 }) ?? false {
        try FileChange.remove(imports.path(of: day.date))
      }
      let limit = now + .seconds(-86_400 * days)
      // Everything in a segment is older than the beginning of a later segment, unless a date was wrong. Therefore the
      // last segment that begins before the limit is kept, with all after it. A date in the future is wrong and is
      // ignored.
      var keep = rest.startIndex
      for (index, segment) in zip(rest.indices, rest) {
        guard let header = header(of: segment.sequence), header.timeValidity == .confirmed, header.time <= now else {
          continue
        }
        // An encrypted segment shows only its day, and may have begun at the end of that day.
        guard header.encryption == nil ? header.time < limit : header.time + .seconds(86_400) <= limit else { break }
        keep = index
      }
      for old in rest[..<keep] { try FileChange.remove(path(of: old.sequence)) }
    }
  }
}

extension TrackFolder {
  /// Whether a date is not after the first fix of a segment.
  private func isNotAfter(_ date: CalendarDate, _ segment: SegmentFile?) -> Bool {
    segment.flatMap { header(of: $0.sequence)?.time.date }.map { date <= $0 } ?? false
  }
}

/// The end of a track.
extension TrackFolder {
  /// The time of the last readable recorded fix; for an encrypted track the day on which its last segment begins; `nil`
  /// if there is no such fix.
  package var end: GNSSTime? {
    guard let segments = try? segments() else { return nil }
    for segment in segments.reversed() {
      guard let header = header(of: segment.sequence) else { continue }
      if header.encryption != nil { return header.time }
      if let fix = header.lastFix(in: path(of: segment.sequence), size: segment.size) { return fix.time }
    }
    return nil
  }

  /// The last readable recorded fix of a log that is not encrypted; `nil` if there is none.
  package var lastFix: PositionFix? {
    guard let segments = try? segments() else { return nil }
    for segment in segments.reversed() {
      if let fix = header(of: segment.sequence)?.lastFix(in: path(of: segment.sequence), size: segment.size) {
        return fix
      }
    }
    return nil
  }
}

extension SegmentHeader {
  /// The last readable fix of this header's file, which is read backwards, block by block; `nil` if there is none, or
  /// if the file is encrypted.
  func lastFix(in path: String, size: Int) -> PositionFix? {
    guard encryption == nil, let file = try? InputFile(path: path) else { return nil }
    let decoder = TrackBlockDecoder(segment: number, sources: sources)
    let first = Self.blocksOffset / TrackBlock.size
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    for index in (first..<max(first, size / TrackBlock.size)).reversed() {
      guard (try? file.read(into: &block, at: index * TrackBlock.size)) == TrackBlock.size,
        // Blank blocks are preallocated; damaged ones are counted by the reader.
        let entries = try? decoder.entries(block.span, index: UInt32(index))
      else { continue }
      for case .fix(let fix) in entries.reversed() { return fix }
    }
    return nil
  }
}

/// Why a track cannot be written now.
package enum TrackError: Error, Hashable, Sendable {
  /// Another process is writing this log.
  case inUse
  /// The file system is too full: less space is free than required.
  case noRoom(free: Int, needed: Int)
  /// The fix has no position: its coordinate or its radius is not a number or out of range.
  case noPlace
  /// The log's public key is invalid.
  case noKey
  /// The operating system returned an error, for example because the file system is full.
  case system(SystemError)
}
