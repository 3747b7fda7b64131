package import Geodesy

/// A JPEG photograph with EXIF: reads when it was taken and whether it has a position, and adds a position.
///
/// Why not a library: libexif rewrites the whole block, which invalidates offsets in maker notes, and exiv2 would be a
/// dynamic library that slows down every start of the command. This type moves nothing inside the block: it appends a new
/// directory and copies the image data.
package struct Photograph: Sendable {
  private let file: JPEGFile
  private let block: TIFFBlock
  private let main: TIFFBlock.Directory
  private let gps: TIFFBlock.Directory?
  /// When the photograph was taken.
  package let time: PhotographTime
  /// Whether the photograph already has a position.
  package let hasPosition: Bool

  private static let exifPointer: UInt16 = 0x8769
  private static let gpsPointer: UInt16 = 0x8825

  /// Reads a photograph from the bytes of its file.
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

  /// The file's bytes with `position`, which replaces an existing position.
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
    // Write the next directory (the thumbnail's) again, too: some readers look for it only right after the first one.
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

/// The position to write into a photograph.
package struct PhotographPosition: Hashable, Sendable {
  /// When the photograph was taken, UTC.
  package var time: GNSSTime
  /// Where the photograph was taken, WGS 84.
  package var coordinate: Coordinate
  /// Height above mean sea level, which is what EXIF's altitude means.
  package var heightAboveMeanSeaLevel: Meters?
  /// 68 % radius around `coordinate`.
  package var horizontalRadius68: Meters?

  package init(
    time: GNSSTime, coordinate: Coordinate, heightAboveMeanSeaLevel: Meters? = nil, horizontalRadius68: Meters? = nil
  ) {
    self.time = time
    self.coordinate = coordinate
    self.heightAboveMeanSeaLevel = heightAboveMeanSeaLevel
    self.horizontalRadius68 = horizontalRadius68
  }
}

/// When a photograph was taken, as recorded by its camera (EXIF 2.31, `DateTimeOriginal` and related tags).
package struct PhotographTime: Hashable, Sendable {
  /// The camera's local time, stored as if it were UTC.
  package let clock: GNSSTime
  /// How far that clock is ahead of UTC; `nil` if the camera did not record it, or not in the form of EXIF.
  package let offset: Duration?

  /// Parses the texts of the three tags: `2026:03:01 12:34:56`, `789` and `+01:00`.
  package init?(clock text: String, fraction: String?, offset: String?) {
    let bytes = Array(text.utf8)
    let separators: [(Int, String)] = [(4, ":"), (7, ":"), (10, " "), (13, ":"), (16, ":")]
    guard bytes.count == 19, separators.allSatisfy({ bytes[$0.0] == $0.1.utf8.first }),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10]),
      let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]),
      let second = Self.number(bytes[17..<19]),
      let date = CalendarDate(year: year, month: month, day: day),
      let timeOfDay = TimeOfDay(hour: hour, minute: minute, second: second, nanosecond: Self.nanoseconds(fraction)),
      let clock = GNSSTime(date: date, timeOfDay: timeOfDay)
    else { return nil }
    self.clock = clock
    self.offset = offset.flatMap { Self.offset($0) }
  }

  /// Parses `+01:00`, `-03:30` or `Z`; `nil` for anything else.
  package static func offset(_ text: String) -> Duration? {
    if text == "Z" { return .zero }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
      let minutes = number(bytes[4..<6]), hours <= 14, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    switch bytes[0] {
    case UInt8(ascii: "+"): return .seconds(seconds)
    case UInt8(ascii: "-"): return .seconds(-seconds)
    default: return nil
    }
  }

  /// Parses the digits after the decimal point; cameras pad them with blanks.
  private static func nanoseconds(_ fraction: String?) -> Int {
    let digits = Array((fraction ?? "").utf8.prefix { (0x30...0x39).contains($0) }.prefix(9))
    guard let value = number(digits[...]) else { return 0 }
    return (digits.count..<9).reduce(value) { scaled, _ in scaled * 10 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}

/// Why a photograph is not changed.
package enum PhotographError: Error, Hashable, Sendable {
  /// It does not begin like a JPEG file.
  case notJPEG
  /// Its segments or its EXIF are inconsistent; `at` is the offset in the file.
  case damaged(at: Int)
  /// It has no EXIF (JEITA CP-3451), or its EXIF does not contain the time at which it was taken.
  case noTime
  /// The time in its EXIF is invalid, such as February 30.
  case badTime(String)
  /// It already has a position.
  case hasPosition
  /// Its EXIF has no room left: the content of a JPEG segment is limited to 65,533 bytes.
  case noRoom
  /// It refers to other pictures in the file by offsets that would become wrong (CIPA DC-007).
  case linkedPictures
}
