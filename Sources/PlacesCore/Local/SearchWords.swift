/// The words by which names are found: folded, with the usual abbreviations of streets in one form, and text without spaces
/// between words in pairs of characters. Names in a file and the text of a query go through the same steps.
package enum SearchWords {
  /// The most words of a name or of a query; further ones are ignored.
  package static let most = 24

  /// The words of a text, in order.
  package static func of(_ text: String) -> [String] {
    var words: [String] = []
    for word in TextFolding.words(joiningPossessives(text)) {
      guard words.count < most else { break }
      if let pairs = pairs(word) { words += pairs } else { words.append(canonical(word)) }
    }
    return words
  }

  /// The text without the apostrophe of a possessive, which people leave out: "St John's Road" becomes "St Johns Road".
  static func joiningPossessives(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isApostrophe) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isPossessive =
        isApostrophe(scalar) && index > 0 && scalars[index - 1].properties.isAlphabetic && index + 1 < scalars.count
        && (scalars[index + 1] == "s" || scalars[index + 1] == "S")
        && !(index + 2 < scalars.count && scalars[index + 2].properties.isAlphabetic)
      if !isPossessive { result.append(scalar) }
    }
    return String(result)
  }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "\u{2019}" }

  /// The one form of a word that is abbreviated in addresses.
  package static func canonical(_ word: String) -> String {
    if let short = abbreviations[word] { return short }
    // German, Dutch and Scandinavian join the kind of street to its name: "landstrasse".
    for (ending, short) in endings where word.utf8.count > ending.utf8.count + 2 && word.hasSuffix(ending) {
      return String(word.dropLast(ending.count)) + short
    }
    return word
  }

  /// Chinese, Japanese, Thai and the like do not separate words: overlapping pairs of characters stand for them.
  private static func pairs(_ word: String) -> [String]? {
    let scalars = Array(word.unicodeScalars)
    guard scalars.contains(where: { hasNoSpaces($0.value) }) else { return nil }
    guard scalars.count > 1 else { return [word] }
    return (0..<(scalars.count - 1)).map { String(String.UnicodeScalarView(scalars[$0...($0 + 1)])) }
  }

  private static func hasNoSpaces(_ value: UInt32) -> Bool {
    switch value {
    // Thai, Lao, Burmese, Khmer; kana; ideographs (Unicode 15, Blocks.txt).
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Endings of words: the long form and the short one, which is also accepted as typed.
  private static let endings = [("strasse", "str"), ("straat", "str"), ("gatan", "g"), ("katu", "k")]

  /// Words that mean the same in addresses, with the form in which both are searched.
  private static let abbreviations: [String: String] = {
    let groups = [
      // English
      "st street saint", "rd road", "av ave avenue avenida avinguda avda avgda", "bd boulevard blvd bvd boul",
      "dr drive", "ln lane", "ct court", "pl place plaza placa platz plac", "sq square", "hwy highway", "pkwy parkway",
      "ter terrace terr", "cres crescent", "expy expressway", "n north", "s south", "e east", "w west", "mt mount",
      "ft fort", "apt apartment", "bldg building",
      // German
      "str strasse straat", "dr doktor",
      // French
      "all allee allees", "imp impasse", "che chemin ch", "ste sainte", "rte route",
      // Spanish, Catalan and Portuguese
      "c calle carrer cl", "r rua", "ctra carretera", "pg passeig paseo po", "trv travessa trav", "lg largo",
      // Italian
      "pza piazza pzza", "vle viale",
      // Slavic
      "ul ulica", "os osiedle", "al aleja",
      // Swedish and Finnish
      "g gatan gata", "k katu",
    ]
    var table: [String: String] = [:]
    for group in groups {
      let words = group.split(separator: " ").map(String.init)
      for word in words.dropFirst() { table[word] = words[0] }
    }
    return table
  }()
}

/// The form of house numbers in which they are compared: "10 A" and "10a", "203–06" and "203-06", "12 bis" and "12bis" are equal.
package enum HouseNumber {
  /// The most words of which a number consists: "12 3 b".
  package static let mostWords = 3

  /// The form of a number; empty if it has neither digits nor letters.
  package static func canonical(_ text: String) -> String { joined(TextFolding.words(text)[...]) }

  /// Words of a query as one number: letters follow their digits directly, numbers are separated by a hyphen.
  package static func joined(_ words: ArraySlice<String>) -> String {
    var result = ""
    for word in words {
      if let last = result.utf8.last, isDigit(last), let first = word.utf8.first, isDigit(first) { result += "-" }
      result += word
    }
    return result
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The first and the last number of a house with several: "12-14" has 12 and 14; "12-15" has 13 and 14, too. `nil` for other numbers, such
  /// as "203-06".
  package static func span(_ text: String) -> (numbers: ClosedRange<Int>, isOneSide: Bool)? {
    guard let (first, last) = ends(text), first < last, last - first <= mostInSpan else { return nil }
    return (first...last, (last - first) % 2 == 0)
  }

  /// The most that the last number of a house exceeds the first.
  private static let mostInSpan = 20

  /// Whether a number has two parts that are no span, as in Queens, where the first one is the next cross street: "37-21" and "203-06".
  package static func isOfCrossStreet(_ text: String) -> Bool {
    guard let (first, last) = ends(text) else { return false }
    return first >= last
  }

  /// The two numbers on both sides of a hyphen or a dash.
  private static func ends(_ text: String) -> (Int, Int)? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "\u{2013}" || $0 == "\u{2014}" }
    guard parts.count == 2 else { return nil }
    func number(_ part: Substring) -> Int? {
      let digits = part.drop { $0 == " " }.reversed().drop { $0 == " " }
      guard digits.count <= 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return Int(String(digits.reversed()))
    }
    guard let first = number(parts[0]), let last = number(parts[1]) else { return nil }
    return (first, last)
  }

  /// Whether a word of a query may be a house number or its beginning.
  package static func isPossible(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    return isDigit(first) && word.utf8.count <= 12
  }

  /// The numbers that a tag contains: "12;14" and "12,14" are two, "203-06" and "12/3" are one (wiki.openstreetmap.org/wiki/Key:addr:housenumber).
  package static func list(_ tag: String) -> [String] {
    tag.split(whereSeparator: { $0 == ";" || $0 == "," }).map { part in
      let text = part.drop(while: \.isWhitespace)
      return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }.filter { text in
      // "s/n": sin número, without a number.
      text.utf8.contains(where: isDigit) && text.utf8.count <= 40
    }
  }
}

/// Whether two words differ by one typing error at most: a wrong, missing or additional character, or two that changed places.
package enum TypingError {
  /// Words of fewer characters must match exactly.
  package static let shortestWord = 5

  package static func isOne(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    let (long, short) = first.count >= second.count ? (first, second) : (second, first)
    // A character of UTF-8 has up to four bytes; folded Latin letters have one.
    guard long.count - short.count <= 1 else { return false }
    var start = 0
    while start < short.count, long[start] == short[start] { start += 1 }
    var end = 0
    while end < short.count - start, long[long.count - 1 - end] == short[short.count - 1 - end] { end += 1 }
    let (left, other) = (long.count - start - end, short.count - start - end)
    if left <= 1, other <= 1 { return true }
    return left == 2 && other == 2 && long[start] == short[start + 1] && long[start + 1] == short[start]
  }
}
