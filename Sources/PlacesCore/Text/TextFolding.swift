/// The form of names in which searches compare them: lower case without marks, ligatures and punctuation, the words separated
/// by single spaces. "Straße", "STRASSE" and "strasse" have one form; so have "Saint-Louis" and "Saint Louis".
package enum TextFolding {
  /// The folded form.
  package static func fold(_ text: String) -> String {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    append(text, to: &folded)
    return String(decoding: folded, as: UTF8.self)
  }

  /// The words of the folded form.
  package static func words(_ text: String) -> [String] {
    fold(text).split(separator: " ").map(String.init)
  }

  /// Appends the folded form as UTF-8; the caller's buffer is reused.
  package static func append(_ text: String, to folded: inout [UInt8]) {
    let start = folded.count
    var needsSpace = false
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value < 0x80 {
        let byte = UInt8(truncatingIfNeeded: value)
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          emit([byte], &folded, start, &needsSpace)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): emit([byte | 0x20], &folded, start, &needsSpace)
        default: needsSpace = true
        }
      } else if let letters = table[value] {
        emit(letters, &folded, start, &needsSpace)
      } else if scalar.properties.canonicalCombiningClass != .notReordered {
        // A mark that follows its letter.
        continue
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || scalar.properties.generalCategory == .spacingMark
      {
        emit(Array(String(scalar).utf8), &folded, start, &needsSpace)
      } else {
        needsSpace = true
      }
    }
  }

  private static func emit(_ letters: [UInt8], _ folded: inout [UInt8], _ start: Int, _ needsSpace: inout Bool) {
    if needsSpace, folded.count > start { folded.append(UInt8(ascii: " ")) }
    needsSpace = false
    folded += letters
  }

  /// The letters of each character of `FoldingTable`.
  private static let table: [UInt32: [UInt8]] = {
    var table: [UInt32: [UInt8]] = [:]
    for line in FoldingTable.text.utf8.split(whereSeparator: { $0 <= UInt8(ascii: " ") }) {
      let text = String(decoding: line, as: UTF8.self)
      guard let first = text.unicodeScalars.first else { continue }
      table[first.value] = Array(text.unicodeScalars.dropFirst().map { String($0) }.joined().utf8)
    }
    return table
  }()
}
