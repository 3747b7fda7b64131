/// The smallest photographs for the tests of tagging: a picture of one gray color, and EXIF in the form of cameras.
struct SampleJPEG {
  var isLittleEndian = true
  /// DateTimeOriginal.
  var time: String? = "2026:03:01 13:34:56"
  var fraction: String?
  var offset: String?
  /// A maker note that contains an offset, which must still lead to the text behind it.
  var hasMakerNote = false
  /// A GPS directory: none, with only a compass direction, or with a position.
  var gps = GPS.none
  /// The number of bytes that fill the EXIF.
  var filling = 0
  /// The segments before and after the EXIF.
  var before: [[UInt8]] = []
  var after: [[UInt8]] = []

  enum GPS { case none, compass, position }

  var bytes: [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    for segment in before { result += segment }
    if time != nil || gps != .none { result += Self.segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    for segment in after { result += segment }
    return result + Self.picture
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  /// 8 × 8 pixels, one component, with tables of one code each.
  static let picture: [UInt8] =
    segment(0xDB, [0] + Array(repeating: 1, count: 64))
    + segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    + segment(0xC4, [0x00, 1] + Array(repeating: 0, count: 15) + [0])
    + segment(0xC4, [0x10, 1] + Array(repeating: 0, count: 15) + [0])
    + segment(0xDA, [1, 1, 0x00, 0, 63, 0]) + [0x3F, 0xFF, 0xD9]

  /// Header, directory, EXIF directory, GPS directory, then the values in the order in which the directories name them.
  var exif: [UInt8] {
    var values: [UInt8] = []
    let mainCount = gps == .none ? 3 : 4
    var exifTags: [(UInt16, UInt16, [UInt8])] = []
    if let time { exifTags.append((0x9003, 2, Array(time.utf8) + [0])) }
    if let offset { exifTags.append((0x9011, 2, Array(offset.utf8) + [0])) }
    if hasMakerNote { exifTags.append((0x927C, 7, Array("MAKER".utf8) + [0, 0, 0])) }
    if let fraction { exifTags.append((0x9291, 2, Array(fraction.utf8) + [0])) }
    var gpsTags: [(UInt16, UInt16, [UInt8])] = []
    switch gps {
    case .none: break
    case .compass: gpsTags = [(0x10, 2, [0x4D, 0]), (0x11, 5, long(1234) + long(10))]
    case .position:
      gpsTags = [
        (0x01, 2, [0x4E, 0]), (0x02, 5, long(1) + long(1) + long(2) + long(1) + long(3) + long(1)),
        (0x03, 2, [0x45, 0]),
        (0x04, 5, long(4) + long(1) + long(5) + long(1) + long(6) + long(1)),
      ]
    }
    let mainStart = 8
    let exifStart = mainStart + 6 + 12 * mainCount
    let gpsStart = exifStart + 6 + 12 * exifTags.count
    let valueStart = gps == .none ? gpsStart : gpsStart + 6 + 12 * gpsTags.count
    func directory(_ tags: [(UInt16, UInt16, [UInt8])]) -> [UInt8] {
      var bytes = short(UInt16(tags.count))
      for (tag, type, value) in tags {
        let size = type == 5 ? 8 : type == 4 ? 4 : 1
        bytes += short(tag) + short(type) + long(UInt32(value.count / size))
        if value.count > 4 {
          bytes += long(UInt32(valueStart + values.count))
          values += value + (value.count.isMultiple(of: 2) ? [] : [0])
        } else {
          bytes += value + Array(repeating: 0, count: 4 - value.count)
        }
      }
      return bytes + long(0)
    }
    var main: [(UInt16, UInt16, [UInt8])] = [
      (0x010F, 2, Array("Maker of cameras\0".utf8)), (0x0131, 2, Array(repeating: 0x41, count: filling) + [0]),
      (0x8769, 4, long(UInt32(exifStart))),
    ]
    if gps != .none { main.append((0x8825, 4, long(UInt32(gpsStart)))) }
    let directories = directory(main) + directory(exifTags) + (gps == .none ? [] : directory(gpsTags))
    let header = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + short(42) + long(UInt32(mainStart))
    return header + directories + values
  }

  private func short(_ value: UInt16) -> [UInt8] {
    let bytes = [UInt8(value >> 8), UInt8(value & 0xFF)]
    return isLittleEndian ? bytes.reversed() : bytes
  }

  private func long(_ value: UInt32) -> [UInt8] {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    return isLittleEndian ? bytes.reversed() : bytes
  }
}
