/// The format of a file to import.
package enum ImportFormat: String, CaseIterable, Sendable {
  case gpx, kml, geojson, nmea, csv, owntracks, google

  /// A file with more leading white space, or a longer first line, is rejected.
  private static let mostBytes = 65_536

  /// The format of a file that begins with these bytes; `nil` if more bytes are needed. All JSON is `.google` here: the
  /// JSON formats are distinguished later, by their keys.
  init?(first: [UInt8], isWhole: Bool) throws(TrackImportError) {
    guard isWhole || first.count >= 4 else { return nil }
    // PKWARE APPNOTE 4.3.7, and RFC 1952, section 2.3.1.
    if first.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw .packed(.zip) }
    if first.starts(with: [0x1F, 0x8B]) { throw .packed(.gzip) }
    let text = first.starts(with: [0xEF, 0xBB, 0xBF]) ? first[3...] : first[...]
    let isLong = text.count >= Self.mostBytes
    guard let mark = text.firstIndex(where: { !Self.isBlank($0) }) else {
      if isWhole || isLong { throw .unknownFormat }
      return nil
    }
    switch text[mark] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .google
    case UInt8(ascii: "<"):
      guard let root = Self.root(text[mark...], isWhole: isWhole || isLong) else { return nil }
      self = root
    case UInt8(ascii: "$"), UInt8(ascii: "!"): self = .nmea
    case _:
      // OwnTracks or CSV; or NMEA with noise, a tag block (NMEA 0183 4.11, section 7) or a time before the first
      // sentence.
      guard let end = text[mark...].firstIndex(of: 0x0A) ?? (isWhole ? text.endIndex : nil) else {
        if isLong { throw .unknownFormat }
        return nil
      }
      let line = text[mark..<end]
      if OwnTracksRows.isRow(line) {
        self = .owntracks
      } else if CSVTrackRows.isHeader(line) {
        self = .csv
      } else if Self.hasSentence(text[mark...]) {
        self = .nmea
      } else if isWhole || text.count >= 4096 {
        throw .unknownFormat
      } else {
        return nil
      }
    }
  }

  /// The format by the first tag; `nil` if it has not arrived.
  private static func root(_ text: ArraySlice<UInt8>, isWhole: Bool) -> ImportFormat? {
    var rest = text
    while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(mark + 1)...]
      guard let next = rest.first else { break }
      if next == UInt8(ascii: "?") || next == UInt8(ascii: "!") { continue }
      let name = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
      guard name.endIndex < rest.endIndex || isWhole else { return nil }
      // Any other root element counts as GPX here: the reader reports it as an error.
      return name.last == UInt8(ascii: "l") && name.suffix(3).elementsEqual("kml".utf8) ? .kml : .gpx
    }
    return isWhole ? .gpx : nil
  }

  /// Whether a dollar sign is followed by five capital letters (the talker and the sentence) and a comma.
  private static func hasSentence(_ text: ArraySlice<UInt8>) -> Bool {
    for mark in text.indices where text[mark] == UInt8(ascii: "$") {
      let address = text[(mark + 1)...].prefix(5)
      if address.count == 5, address.allSatisfy({ (0x41...0x5A).contains($0) }),
        text.dropFirst(mark + 6 - text.startIndex).first == UInt8(ascii: ",")
      {
        return true
      }
    }
    return false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    // RFC 8142: a record separator.
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x1E
  }
}
