import Geodesy

/// Fixes as CSV (RFC 4180): a header, then a record per fix. The columns are the JSON keys of `locationctl fix`, with their units;
/// unknown values are empty.
package enum CSVFormat {
  /// Neither `floor`, which no source reports, nor `imported`, which only fixes in logs have, nor the newer `hdop` and
  /// `dgpsAge`: columns are not added, because programs read them by number.
  private static let keys = FixKey.allCases.filter { ![.floor, .imported, .hdop, .dgpsAge].contains($0) }

  package static let header = Array((keys.map(\.rawValue).joined(separator: ",") + "\r\n").utf8)

  /// The record of a fix.
  package static func line(_ located: LocatedFix) -> [UInt8] {
    var bytes: [UInt8] = []
    for key in keys {
      if key != keys.first { bytes.append(UInt8(ascii: ",")) }
      CSVText.append(key.value(of: located), to: &bytes)
    }
    return bytes + Array("\r\n".utf8)
  }
}
