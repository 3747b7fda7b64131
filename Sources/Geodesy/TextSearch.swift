/// Searches texts byte by byte. The standard library's functions for this link its engine for regular expressions, which
/// adds 1 MB to a program that does not use it otherwise; release builds do not import them (Package.swift).
extension StringProtocol {
  /// Whether the text contains `part`.
  package func holds(_ part: String) -> Bool { firstPlace(of: part) != nil }

  /// The first occurrence of `part`; `nil` if there is none.
  package func firstPlace(of part: String) -> Range<Index>? {
    var start = utf8.startIndex
    while !utf8[start...].starts(with: part.utf8) {
      guard start != utf8.endIndex else { return nil }
      start = utf8.index(after: start)
    }
    return start..<utf8.index(start, offsetBy: part.utf8.count)
  }

  /// The text with `replacement` in place of each occurrence of `part`, which is not empty.
  package func substituting(_ part: String, with replacement: String) -> String {
    precondition(!part.isEmpty)
    var (result, rest) = ("", Substring(String(self)))
    while let place = rest.firstPlace(of: part) {
      result += rest[..<place.lowerBound] + replacement
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
