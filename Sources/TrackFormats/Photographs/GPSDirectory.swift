import Geodesy

/// The GPS directory of EXIF (EXIF 2.31, section 4.6.6).
enum GPSDirectory {
  /// `GPSLatitude` and `GPSLongitude`: without both there is no position.
  static let positionTags: [UInt16] = [0x02, 0x04]
  /// Tags for an earlier position, its time, the motion there, and how the position was obtained; they are removed when
  /// a position is written. The camera's compass direction (0x10, 0x11) and the place it was pointed at (0x13…0x1A) are
  /// kept.
  private static let replaced: Set<UInt16> = Set(0x00...0x0F).union([0x12, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F])

  /// Appends to `block` a directory with `position` and the other entries of `old`; returns its offset.
  static func append(
    _ position: PhotographPosition, keeping old: TIFFBlock.Directory?, to block: inout TIFFBlock
  ) -> Int {
    var entries = (old?.entries ?? []).filter { !replaced.contains($0.tag) }
    let coordinate = position.coordinate
    entries.append(block.append(tag: 0x00, type: 1, count: 4, value: [2, 3, 0, 0]))
    entries.append(reference(0x01, coordinate.latitude.degrees < 0 ? "S" : "N", in: &block))
    entries.append(rationals(0x02, sexagesimal(coordinate.latitude), in: &block))
    entries.append(reference(0x03, coordinate.longitude.degrees < 0 ? "W" : "E", in: &block))
    entries.append(rationals(0x04, sexagesimal(coordinate.longitude), in: &block))
    if let height = position.heightAboveMeanSeaLevel?.value, height.magnitude < 1e6 {
      // 0: above sea level, 1: below.
      entries.append(block.append(tag: 0x05, type: 1, count: 1, value: [height < 0 ? 1 : 0]))
      entries.append(rationals(0x06, [thousandths(height.magnitude)], in: &block))
    }
    if let date = position.time.date {
      let milliseconds = UInt32(position.time.nanosecondsSinceMidnight / 1_000_000)
      entries.append(
        rationals(
          0x07, [(milliseconds / 3_600_000, 1), (milliseconds / 60_000 % 60, 1), (milliseconds % 60_000, 1000)],
          in: &block))
      let text = padded(Int(date.year), 4) + ":" + padded(Int(date.month), 2) + ":" + padded(Int(date.day), 2)
      entries.append(block.append(tag: 0x1D, type: 2, count: 11, value: Array(text.utf8) + [0]))
    }
    entries.append(block.append(tag: 0x12, type: 2, count: 7, value: Array("WGS-84\0".utf8)))
    if let radius = position.horizontalRadius68?.value, radius > 0, radius < 1e6 {
      entries.append(rationals(0x1F, [thousandths(radius)], in: &block))
    }
    entries.sort { $0.tag < $1.tag }
    return block.append(TIFFBlock.Directory(entries: entries, next: 0))
  }

  private typealias Rational = (numerator: UInt32, denominator: UInt32)

  /// Whole degrees and minutes, and seconds to 10⁻⁷ (3 µm), rounded once so that minutes and seconds stay below 60.
  private static func sexagesimal(_ angle: Angle) -> [Rational] {
    let scale: UInt64 = 10_000_000
    let units = UInt64((min(angle.degrees.magnitude, 180) * 3600 * Double(scale)).rounded())
    return [
      (UInt32(units / (3600 * scale)), 1), (UInt32(units / (60 * scale) % 60), 1),
      (UInt32(units % (60 * scale)), UInt32(scale)),
    ]
  }

  private static func thousandths(_ value: Double) -> Rational { (UInt32((value * 1000).rounded()), 1000) }

  private static func reference(_ tag: UInt16, _ letter: String, in block: inout TIFFBlock) -> TIFFBlock.Entry {
    block.append(tag: tag, type: 2, count: 2, value: Array(letter.utf8) + [0])
  }

  private static func rationals(_ tag: UInt16, _ values: [Rational], in block: inout TIFFBlock) -> TIFFBlock.Entry {
    var bytes: [UInt8] = []
    for value in values { bytes += block.encoded(value.numerator) + block.encoded(value.denominator) }
    return block.append(tag: tag, type: 5, count: values.count, value: bytes)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
