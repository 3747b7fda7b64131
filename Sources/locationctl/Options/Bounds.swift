import ArgumentParser
import LocationdConfiguration

/// Parses numeric arguments within their bounds: a mistyped number is an error, not a wait of a century.
enum Bounds {
  /// The largest radius, and the largest distance between two fixes, that a command accepts, meters.
  static let meters = 1_000_000.0
  /// The longest wait and the longest interval of a command, seconds: a week.
  static let wait = 604_800.0
  /// The longest duration of a stream, and the largest age of a fix, seconds: a leap year.
  static let watch = 31_622_400.0

  static func positive(_ text: String, upTo limit: Double, unit: String) throws -> Double {
    guard let value = Double(text), value.isFinite, value > 0, value <= limit else {
      throw ValidationError("Use \(unit) above 0 and at most \(whole(limit)).")
    }
    return value
  }

  static func notNegative(_ text: String, upTo limit: Double, unit: String) throws -> Double {
    guard let value = Double(text), value.isFinite, value >= 0, value <= limit else {
      throw ValidationError("Use \(unit) from 0 to \(whole(limit)).")
    }
    return value
  }

  /// A time in seconds, as people write it: `90`, `1.5`, `30s`, `2m`, `1h30m`.
  static func time(_ text: String, from least: Double = 0, upTo limit: Double) throws -> Double {
    let seconds = Double(text) ?? DurationArgument(argument: text).map { Double($0.seconds) }
    guard let seconds, seconds.isFinite, seconds <= limit, least > 0 ? seconds >= least : seconds > 0 else {
      let bound = least > 0 ? "of at least \(least) s" : "above 0"
      throw ValidationError("Use a time \(bound) and at most \(longest(limit)), such as 90, 30s, 2m or 1h30m.")
    }
    return seconds
  }

  /// A time in seconds, as in `time`; 0 is allowed, too.
  static func timeOrZero(_ text: String, upTo limit: Double) throws -> Double {
    if Double(text) == 0 || DurationArgument(argument: text)?.seconds == 0 { return 0 }
    do {
      return try time(text, upTo: limit)
    } catch {
      throw ValidationError("Use a time from 0 to \(longest(limit)), such as 90, 30s, 2m or 1h30m.")
    }
  }

  private static func longest(_ seconds: Double) -> String { DurationArgument(seconds: Int(seconds)).text }

  static func count(_ text: String) throws -> Int {
    guard let value = Int(text), (1...1_000_000_000).contains(value) else {
      throw ValidationError("Use a whole number from 1 to 1000000000.")
    }
    return value
  }

  static func rate(_ text: String) throws -> Int {
    guard let value = Int(text), (1...25).contains(value) else {
      throw ValidationError("Use a whole number of updates per second, from 1 to 25.")
    }
    return value
  }

  /// A number of bytes, with k, M or G for thousands, millions or billions.
  static func size(_ text: String) throws -> Int {
    let factors: [Character: Int] = ["k": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let factor = text.last.flatMap { factors[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      case let (bytes, overflow) = number.multipliedReportingOverflow(by: factor ?? 1), !overflow,
      (1000...1_000_000_000_000).contains(bytes)
    else { throw ValidationError("Use a size from 1000 bytes to 1000G, such as 20M.") }
    return bytes
  }

  private static func whole(_ value: Double) -> String { String(Int64(value)) }
}
