/// Reads coordinates in degrees, with or without minutes and seconds, in the usual spellings: `52.3731,4.8922`, `N52.3731 E4.8922`,
/// `52°22'23.2"N 4°53'31.9"E`, `52 22 23.2 N, 4 53 31.9 E`, `N 52° 22.387' E 4° 53.532'`, `52:22:23N 4:53:32E`, `52d22m23s 4d53m32s`,
/// `+52.3731+004.8922/`.
///
/// Without the letters N, S, E and W the latitude is first.
enum SexagesimalReader {
  /// Longer texts are not coordinates.
  static let maximumBytes = 100

  private enum Token: Hashable {
    case number(Double)
    case minus
    case plus
    /// 0 for degrees, 1 for minutes, 2 for seconds.
    case unit(Int)
    /// Between the parts of one angle.
    case colon
    /// Between the two angles.
    case comma
    case hemisphere(Character)
  }

  /// One of the two angles.
  private struct Part {
    var degrees: Double
    var hemisphere: Character?

    var isLatitude: Bool { hemisphere == "N" || hemisphere == "S" }
  }

  static func coordinate(parsing text: String) -> Coordinate? {
    // The text form of ISO 6709 ends with a solidus.
    guard text.utf8.count <= maximumBytes, let tokens = tokens(of: text.last == "/" ? String(text.dropLast()) : text),
      let groups = groups(of: tokens),
      let first = part(groups.0), let second = part(groups.1)
    else { return nil }
    switch (first.hemisphere, second.hemisphere) {
    case (nil, nil): return Coordinate(checkingLatitude: first.degrees, longitude: second.degrees)
    case (_?, _?) where first.isLatitude && !second.isLatitude:
      return Coordinate(checkingLatitude: first.degrees, longitude: second.degrees)
    case (_?, _?) where !first.isLatitude && second.isLatitude:
      return Coordinate(checkingLatitude: second.degrees, longitude: first.degrees)
    default: return nil
    }
  }

  // MARK: Tokens

  private static func tokens(of text: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = text[...].unicodeScalars
    while let scalar = rest.first {
      if scalar.value < 0x80, scalar.properties.numericType != nil || scalar == "." {
        let digits = rest.prefix { $0.value < 0x80 && ($0.properties.numericType != nil || $0 == ".") }
        guard let number = NotationDigits.number(String(String.UnicodeScalarView(digits))) else { return nil }
        tokens.append(.number(number))
        rest = rest[digits.endIndex...]
        continue
      }
      rest.removeFirst()
      switch scalar {
      case " ", "\t", "\u{A0}", "\u{202F}": continue
      case "-", "\u{2212}": tokens.append(.minus)
      case "+": tokens.append(.plus)
      case ",", ";", "/": tokens.append(.comma)
      case ":": tokens.append(.colon)
      // The degree sign, and characters that are often typed instead of it.
      case "°", "º", "˚", "d", "D": tokens.append(.unit(0))
      case "'", "\u{2019}", "\u{2032}", "\u{B4}", "`", "m":
        // Two apostrophes in a row mean seconds.
        if tokens.last == .unit(1), scalar != "m" {
          tokens[tokens.count - 1] = .unit(2)
        } else {
          tokens.append(.unit(1))
        }
      case "\"", "\u{201D}", "\u{201C}", "\u{2033}": tokens.append(.unit(2))
      case "s" where isSeconds(after: tokens): tokens.append(.unit(2))
      case "N", "n": tokens.append(.hemisphere("N"))
      case "S", "s": tokens.append(.hemisphere("S"))
      case "E", "e": tokens.append(.hemisphere("E"))
      case "W", "w": tokens.append(.hemisphere("W"))
      default: return nil
      }
    }
    return tokens
  }

  /// Whether an `s` is the unit of the number before it: it is if that number follows minutes, as in `22m23s`.
  /// In `52 22 23 s` and `52 22.4' s` it is the hemisphere.
  private static func isSeconds(after tokens: [Token]) -> Bool {
    guard case .number? = tokens.last else { return false }
    return tokens.dropLast().last == .unit(1)
  }

  // MARK: Angles

  /// The tokens of the two angles.
  private static func groups(of tokens: [Token]) -> (ArraySlice<Token>, ArraySlice<Token>)? {
    let commas = tokens.indices.filter { tokens[$0] == .comma }
    if let comma = commas.first {
      guard commas.count == 1 else { return nil }
      return (tokens[..<comma], tokens[(comma + 1)...])
    }
    let letters = tokens.indices.filter { if case .hemisphere = tokens[$0] { true } else { false } }
    if letters.count == 2 {
      // `N52 E4` or `52N 4E`.
      let boundary = letters[0] == 0 ? letters[1] : letters[0] + 1
      return (tokens[..<boundary], tokens[boundary...])
    }
    guard letters.isEmpty, let boundary = boundary(tokens) else { return nil }
    return (tokens[..<boundary], tokens[boundary...])
  }

  /// The beginning of the second angle in a text without commas and letters.
  private static func boundary(_ tokens: [Token]) -> Int? {
    if let sign = tokens.lastIndex(where: { $0 == .minus || $0 == .plus }), sign > 0 { return sign }
    let numbers = tokens.indices.filter { if case .number = tokens[$0] { true } else { false } }
    let marks = numbers.filter { $0 + 1 < tokens.count && tokens[$0 + 1] == .unit(0) }
    if marks.count == 2 { return marks[1] }
    guard marks.isEmpty, numbers.count.isMultiple(of: 2), (2...6).contains(numbers.count) else { return nil }
    return numbers[numbers.count / 2]
  }

  /// One angle: degrees, minutes and seconds, of which only the last number may have a fraction.
  private static func part(_ tokens: ArraySlice<Token>) -> Part? {
    var tokens = tokens
    var hemisphere: Character?
    if case .hemisphere(let letter)? = tokens.first {
      hemisphere = letter
      tokens.removeFirst()
    } else if case .hemisphere(let letter)? = tokens.last {
      hemisphere = letter
      tokens.removeLast()
    }
    let isNegative = tokens.first == .minus
    if isNegative || tokens.first == .plus { tokens.removeFirst() }
    var values: [Double] = []
    while let token = tokens.popFirst() {
      guard case .number(let value) = token, values.count < 3, values.last.map({ $0 == $0.rounded() }) ?? true,
        values.isEmpty || value < 60
      else { return nil }
      switch tokens.first {
      case .unit(let unit)?:
        guard unit == values.count else { return nil }
        tokens.removeFirst()
      case .colon?:
        tokens.removeFirst()
        guard !tokens.isEmpty, values.count < 2 else { return nil }
      default: break
      }
      values.append(value)
    }
    guard !values.isEmpty, !(isNegative && hemisphere != nil) else { return nil }
    let magnitude = degrees(values)
    return Part(
      degrees: isNegative || hemisphere == "S" || hemisphere == "W" ? -magnitude : magnitude, hemisphere: hemisphere)
  }

  /// Whole seconds first, so that the sum is rounded once.
  private static func degrees(_ values: [Double]) -> Double {
    switch values.count {
    case 1: values[0]
    case 2: (60 * values[0] + values[1]) / 60
    default: (60 * (60 * values[0] + values[1]) + values[2]) / 3600
    }
  }
}
