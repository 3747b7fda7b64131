/// A JPEG photograph with EXIF: when it was taken, whether it knows where, and itself with a position.
///
/// Why not a library: libexif writes the whole block anew, which leaves offsets in makers' notes pointing elsewhere, and
/// exiv2 would be a dynamic library that every start of the command pays for. Here nothing that stands in the block is
/// moved: a new directory is put at its end, and the picture's bytes are copied.
package struct Photograph: Sendable {
  private let file: JPEGFile
  private let block: TIFFBlock
  private let main: TIFFBlock.Directory
  private let gps: TIFFBlock.Directory?
  /// When it was taken.
  package let time: PhotographTime
  /// Whether it has a position already.
  package let hasPosition: Bool

  private static let exifPointer: UInt16 = 0x8769
  private static let gpsPointer: UInt16 = 0x8825

  /// Reads the photograph of a file's bytes.
  package init(_ bytes: [UInt8]) throws(PhotographError) {
    file = try JPEGFile(bytes)
    guard let exif = file.exif, let segment = file.segment else { throw .noTime }
    do throws(PhotographError) {
      let block = try TIFFBlock(exif)
      let main = try block.directory(at: try block.firstDirectory())
      var gps: TIFFBlock.Directory?
      if let entry = main.entry(Self.gpsPointer) { gps = try block.directory(of: entry) }
      guard let pointer = main.entry(Self.exifPointer) else { throw PhotographError.noTime }
      time = try Self.time(in: try block.directory(of: pointer), of: block)
      (self.block, self.main, self.gps) = (block, main, gps)
      hasPosition = Self.hasPosition(gps)
    } catch {
      guard case .damaged(let offset) = error else { throw error }
      throw .damaged(at: segment.lowerBound + JPEGFile.prefixLength + offset)
    }
  }

  private static func hasPosition(_ gps: TIFFBlock.Directory?) -> Bool {
    GPSDirectory.positionTags.allSatisfy { gps?.entry($0) != nil }
  }

  private static func time(
    in directory: TIFFBlock.Directory, of block: TIFFBlock
  ) throws(PhotographError) -> PhotographTime {
    func text(_ tag: UInt16) throws(PhotographError) -> String? {
      guard let entry = directory.entry(tag) else { return nil }
      return try block.text(entry)
    }
    // DateTimeOriginal, SubSecTimeOriginal, OffsetTimeOriginal.
    // A camera whose clock was never set writes blanks or zeros.
    guard let clock = try text(0x9003), clock.utf8.contains(where: { (0x31...0x39).contains($0) }) else {
      throw .noTime
    }
    guard let time = PhotographTime(clock: clock, fraction: try text(0x9291), offset: try text(0x9011)) else {
      throw .badTime(clock)
    }
    return time
  }

  /// The file's bytes with `position` in them, in place of one that is there.
  package func tagged(with position: PhotographPosition) throws(PhotographError) -> [UInt8] {
    var block = block
    let offset = GPSDirectory.append(position, keeping: gps, to: &block)
    let entry = TIFFBlock.Entry(
      tag: Self.gpsPointer, type: 4, count: 1, field: block.encoded(UInt32(clamping: offset)))
    var main = main
    if let index = main.entries.firstIndex(where: { $0.tag == Self.gpsPointer }) {
      main.entries[index] = entry
    } else {
      let index = main.entries.firstIndex { $0.tag > Self.gpsPointer } ?? main.entries.count
      main.entries.insert(entry, at: index)
    }
    // The next directory, the thumbnail's, is told once more too: some readers look for it behind the first one only.
    if main.next > 0, let next = try? block.directory(at: main.next), next.next == 0 {
      let size = 2 + 12 * main.entries.count + 4
      main.next = block.evenEnd + size
      block.setFirstDirectory(block.append(main))
      _ = block.append(next)
    } else {
      block.setFirstDirectory(block.append(main))
    }
    return try file.replacing(exif: block.bytes)
  }
}
