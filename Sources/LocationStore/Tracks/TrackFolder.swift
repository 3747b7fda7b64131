package import Geodesy
package import LinuxIO
package import LocationPolicy

/// The folder of one log: its segments, `00000001.track` and so on.
package struct TrackFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The segments, the oldest first; none where there is no folder.
  package func segments() throws(SystemError) -> [SegmentFile] {
    let files: [FileEntry]
    do throws(SystemError) {
      files = try PrivateFolder.files(in: path)
    } catch {
      guard error.isAbsence else { throw error }
      return []
    }
    return files.compactMap { file in
      SegmentFile.sequence(of: file.name).map {
        SegmentFile(sequence: $0, size: file.size, sizeOnDisk: file.sizeOnDisk)
      }
    }.sorted()
  }

  /// Where a segment is.
  package func path(of sequence: Int) -> String { "\(path)/\(SegmentFile.name(sequence))" }

  /// The header of a segment, from either copy; `nil` where neither is whole.
  package func header(of sequence: Int) -> SegmentHeader? {
    guard var input = try? SegmentInput(path: path(of: sequence)),
      let bytes = try? input.read(SegmentHeader.blocksOffset)
    else { return nil }
    return SegmentHeader.either(bytes.span)
  }

  /// Cuts what was taken beforehand from the newest segment, whose writer had no time for it; removes it where nothing was
  /// written at all.
  func trimNewest() throws(SystemError) {
    guard let newest = try segments().last else { return }
    let path = path(of: newest.sequence)
    // One that cannot be opened is left as it is: its readers say so.
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

  /// Removes the oldest segments that a wish does not keep; never the newest.
  ///
  /// - Parameters:
  ///   - coming: bytes that are about to be taken.
  ///   - now: the time of day; `nil`: nobody knows it, and nothing is too old.
  package func retain(_ retention: LogRetention, coming: Int, now: GNSSTime?) throws(SystemError) {
    var rest = try segments()[...]
    switch retention {
    case .megabytes(let megabytes):
      var size = rest.reduce(coming) { $0 + $1.sizeOnDisk }
      while rest.count > 1, size > megabytes * 1_000_000, let oldest = rest.popFirst() {
        try FileChange.remove(path(of: oldest.sequence))
        size -= oldest.sizeOnDisk
      }
    case .days(let days):
      guard let now else { return }
      let limit = now + .seconds(-86_400 * days)
      // All of a segment is older than the beginning of a later one, unless a date was wrong: none goes that begins within what
      // is kept, nor what came after it. A date still to come is wrong, and says nothing.
      var keep = rest.startIndex
      for (index, segment) in zip(rest.indices, rest) {
        guard let header = header(of: segment.sequence), header.timeValidity == .confirmed, header.time <= now else {
          continue
        }
        // A sealed one tells the day alone: it may have begun at its end.
        guard header.seal == nil ? header.time < limit : header.time + .seconds(86_400) <= limit else { break }
        keep = index
      }
      for old in rest[..<keep] { try FileChange.remove(path(of: old.sequence)) }
    }
  }
}

/// Where a track ends.
extension TrackFolder {
  /// The time of the last fix that can be read, of a sealed track the day on which its last segment begins; `nil` where there
  /// is none.
  package var end: GNSSTime? {
    guard let segments = try? segments() else { return nil }
    for segment in segments.reversed() {
      if let end = end(of: segment) { return end }
    }
    return nil
  }

  /// The same of one segment: it is read from its end, block by block.
  private func end(of segment: SegmentFile) -> GNSSTime? {
    guard let header = header(of: segment.sequence), let file = try? InputFile(path: path(of: segment.sequence)) else {
      return nil
    }
    if header.seal != nil { return header.time }
    let decoder = TrackBlockDecoder(segment: header.number, sources: header.sources)
    let first = SegmentHeader.blocksOffset / TrackBlock.size
    var block = [UInt8](repeating: 0, count: TrackBlock.size)
    for index in (first..<max(first, segment.size / TrackBlock.size)).reversed() {
      guard (try? file.read(into: &block, at: index * TrackBlock.size)) == TrackBlock.size,
        // Blank ones were taken beforehand; damaged ones are the reader's to count.
        let entries = try? decoder.entries(block.span, index: UInt32(index))
      else { continue }
      for case .fix(let fix) in entries.reversed() { return fix.time }
    }
    return nil
  }
}

/// Why nothing can be written to a track now.
package enum TrackError: Error, Hashable, Sendable {
  /// Another process writes to this log.
  case inUse
  /// The file system is too full: there is less than the share that has to stay free.
  case noRoom(free: Int, needed: Int)
  /// The fix has no place: its coordinate or its radius is no number or out of range.
  case noPlace
  /// What the log is to be sealed to is no key.
  case noKey
  /// The machine refused; a full file system among it.
  case system(SystemError)
}
