/// The fields of one line of comma-separated values (RFC 4180).
package enum CSVFields {
  package enum Failure: Error {
    case openQuote
    case tooMany
  }

  /// The fields of `line`, without surrounding blanks and quotation marks. A doubled quotation mark inside a quoted field stays
  /// doubled, because no field that the callers use contains one.
  package static func split(_ line: ArraySlice<UInt8>, atMost limit: Int) throws(Failure) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        fields.append(bare(line[start..<index]))
        start = index + 1
        guard fields.count < limit else { throw .tooMany }
      default: break
      }
    }
    guard !isQuoted else { throw .openQuote }
    return fields + [bare(line[start...])]
  }

  /// A finite decimal number; `nil` for any other text, including infinity and hexadecimal, which Swift would accept.
  package static func number(_ field: ArraySlice<UInt8>) -> Double? {
    let isDecimal = field.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let value = Double(String(decoding: field, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }

  package static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func bare(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let trimmed = trimmed(field)
    guard trimmed.count >= 2, trimmed.first == UInt8(ascii: "\""), trimmed.last == UInt8(ascii: "\"") else {
      return trimmed
    }
    return self.trimmed(trimmed.dropFirst().dropLast())
  }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var field = field.drop(while: isBlank)
    while let last = field.last, isBlank(last) { field.removeLast() }
    return field
  }
}
