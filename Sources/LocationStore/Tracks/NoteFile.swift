package import Geodesy
package import LinuxIO
package import LocationPolicy
import WireFormats

/// The notes of a log: the file `notes` beside its segments, in the order in which the notes were made. Earlier
/// versions ignore the file.
///
/// The file consists of records of 512 bytes:
/// ```
/// 0    checksum: CRC-32C over bytes 4…511
/// 4    format: 1, or 2 for an encrypted note
/// 5    0
/// 6    format 2: the content below, encrypted for the log's owner (libsodium's crypto_box_seal, 506 bytes)
///      format 1: the content:
///      time, nanoseconds since 1970 (8 bytes)
///      latitude and longitude, 10⁻⁹ degrees (8 bytes each)
///      radius, height above the ellipsoid, height above mean sea level, millimeters (8 bytes each)
///      known heights: 1 above the ellipsoid, 2 above mean sea level (1 byte)
///      length of the text, and the text in UTF-8; zeros to the end
/// ```
/// Integers are little-endian. A note is encrypted with the public key only, so that the machine that records it cannot
/// read it later. All notes have the same length, which reveals nothing.
package struct NoteFile: Sendable {
  package static let name = "notes"
  /// Maximum number of notes of a log. With each new note the whole file is replaced in one step.
  package static let mostNotes = 1000

  private let folder: TrackFolder

  package init(_ folder: TrackFolder) { self.folder = folder }

  private var path: String { "\(folder.path)/\(Self.name)" }

  /// All records, oldest first, including damaged ones; empty if there is no file. The last one is shorter if the file
  /// was truncated.
  package func records() throws(SystemError) -> [NoteRecord] {
    let size = NoteRecord.size
    let bytes = try StateFile.read(path, maximumSize: Self.mostNotes * size) ?? []
    return stride(from: 0, to: bytes.count, by: size).map { NoteRecord(Array(bytes[$0..<min($0 + size, bytes.count)])) }
  }

  /// Adds a note, which is on disk when this returns; returns `false` if there are already `mostNotes`.
  package func append(_ record: NoteRecord) throws(SystemError) -> Bool {
    // A truncated record would shift the records after it.
    var records = try records().filter { $0.bytes.count == NoteRecord.size }
    guard records.count < Self.mostNotes else { return false }
    records.append(record)
    try StateFile.write(path, records.flatMap(\.bytes))
    return true
  }

  /// Deletes the file; a missing one is no error.
  func remove() throws(SystemError) { try FileChange.remove(path) }
}

/// One note as it is stored (`NoteFile`).
package struct NoteRecord: Hashable, Sendable {
  package static let size = 512
  private static let contentOffset = 6
  private static let openFormat: UInt8 = 1
  private static let sealedFormat: UInt8 = 2
  private static let contentSize = size - contentOffset - Sodium.boxOverhead

  /// `size` bytes; fewer for a truncated record.
  package let bytes: [UInt8]

  /// Bytes of any content, from a file or a message.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Encodes a note as a record; `nil` if `publicKey` is not a valid key.
  package init?(_ note: TrackNote, publicKey: LogPublicKey?) {
    var content = Self.content(of: note)
    content += [UInt8](repeating: 0, count: Self.contentSize - content.count)
    var bytes: [UInt8] = [0, 0, 0, 0, publicKey == nil ? Self.openFormat : Self.sealedFormat, 0]
    if let publicKey {
      let box = Sodium.box(content.span, to: publicKey.bytes)
      Sodium.wipe(&content)
      guard let box else { return nil }
      bytes += box
    } else {
      bytes += content + [UInt8](repeating: 0, count: Sodium.boxOverhead)
    }
    bytes.replace(at: 0, littleEndian: Self.checksum(bytes.span))
    self.bytes = bytes
  }

  /// The note; `nil` if the record is damaged, or if it is encrypted and `key` does not decrypt it.
  package func note(key: OwnerKey? = nil) -> TrackNote? {
    let span = bytes.span
    guard bytes.count == Self.size, span.integer(at: 0, as: UInt32.self) == Self.checksum(span), bytes[5] == 0 else {
      return nil
    }
    let rest = Array(bytes[Self.contentOffset...])
    switch bytes[4] {
    case Self.openFormat: return Self.note(rest.span)
    case Self.sealedFormat: return key?.open(box: rest).flatMap { Self.note($0.span) }
    default: return nil
    }
  }

  /// The record with its checksum corrected, so that tests can reach the code behind it.
  package static func checked(_ bytes: [UInt8]) -> NoteRecord {
    var bytes = bytes
    if bytes.count == size { bytes.replace(at: 0, littleEndian: checksum(bytes.span)) }
    return NoteRecord(bytes)
  }

  // MARK: - Content

  private static func content(of note: TrackNote) -> [UInt8] {
    func scaled(_ value: Double, _ factor: Double) -> Int64 {
      let scaled = (value * factor).rounded()
      return scaled.magnitude < TrackRow.limit ? Int64(scaled) : 0
    }
    var content: [UInt8] = []
    content.append(littleEndian: note.time.nanosecondsSince1970)
    content.append(littleEndian: scaled(note.coordinate.latitude.degrees, 1e9))
    content.append(littleEndian: scaled(note.coordinate.longitude.degrees, 1e9))
    content.append(littleEndian: max(1, scaled(note.horizontalRadius68.value, 1e3)))
    content.append(littleEndian: scaled(note.heightAboveEllipsoid?.value ?? 0, 1e3))
    content.append(littleEndian: scaled(note.heightAboveMeanSeaLevel?.value ?? 0, 1e3))
    content.append((note.heightAboveEllipsoid == nil ? 0 : 1) | (note.heightAboveMeanSeaLevel == nil ? 0 : 2))
    content.append(UInt8(note.text.utf8.count))
    content += note.text.utf8
    return content
  }

  private static func note(_ content: Span<UInt8>) -> TrackNote? {
    func scaled(at offset: Int, _ factor: Double) -> Double? {
      let value = Double(content.integer(at: offset, as: Int64.self))
      return value.magnitude < TrackRow.limit ? value / factor : nil
    }
    let (known, length) = (content[48], Int(content[49]))
    guard known <= 3, length <= TrackNote.maximumLength,
      let latitude = scaled(at: 8, 1e9), let longitude = scaled(at: 16, 1e9),
      let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude),
      let radius = scaled(at: 24, 1e3), radius > 0, let ellipsoid = scaled(at: 32, 1e3), let sea = scaled(at: 40, 1e3),
      let text = String(validating: (50..<50 + length).map { content[$0] }, as: UTF8.self),
      var note = TrackNote(
        text, time: GNSSTime(nanosecondsSince1970: content.integer(at: 0, as: Int64.self)), coordinate: coordinate,
        horizontalRadius68: Meters(radius))
    else { return nil }
    note.heightAboveEllipsoid = known & 1 == 0 ? nil : Meters(ellipsoid)
    note.heightAboveMeanSeaLevel = known & 2 == 0 ? nil : Meters(sea)
    return note
  }

  private static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes.extracting(4..<size))
    return checksum.value
  }
}
