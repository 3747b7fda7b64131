import TrackFormats

/// Reads the object of a request: bounded in depth and keys, with unknown keys ignored.
enum GPSDObjectReader {
  /// The object itself is the first level.
  static let deepest = 2
  static let mostKeys = 16

  /// One member of the outermost object.
  enum Value {
    case text(String)
    case number(Double)
    case flag(Bool)
    case null
  }

  /// Reads an object at `start` of `bytes` and calls `body` with its members; those that are lists or objects are only checked.
  ///
  /// - Returns: the index after the object.
  static func read(
    _ bytes: [UInt8], from start: Int, _ body: (String, Value) throws(GPSDObjectProblem) -> Void
  ) throws(GPSDObjectProblem) -> Int {
    guard start < bytes.count else { throw .truncated }
    guard bytes[start] == UInt8(ascii: "{") else { throw .syntax }
    var tokenizer = JSONTokenizer()
    var offset = start
    var keys = 0
    var key: String?
    while true {
      guard let token = try next(&tokenizer, bytes, &offset) else { throw .truncated }
      guard tokenizer.depth <= deepest else { throw .tooDeep }
      switch token {
      case .key(let name):
        keys += 1
        guard keys <= mostKeys else { throw .tooManyKeys }
        key = tokenizer.depth == 1 ? name : nil
      case .objectStart, .listStart: key = nil
      case .objectEnd, .listEnd: if tokenizer.depth == 0 { return offset }
      case .text(let text): try member(&key, .text(text), body)
      case .number(let number): try member(&key, .number(number), body)
      case .flag(let flag): try member(&key, .flag(flag), body)
      case .null: try member(&key, .null, body)
      }
    }
  }

  private static func member(
    _ key: inout String?, _ value: Value, _ body: (String, Value) throws(GPSDObjectProblem) -> Void
  ) throws(GPSDObjectProblem) {
    guard let name = key else { return }
    key = nil
    try body(name, value)
  }

  private static func next(
    _ tokenizer: inout JSONTokenizer, _ bytes: [UInt8], _ offset: inout Int
  ) throws(GPSDObjectProblem) -> JSONToken? {
    do throws(JSONProblem) {
      return try tokenizer.next(in: bytes.span, at: &offset)
    } catch {
      if case .tooDeep = error.reason { throw .tooDeep }
      throw .syntax
    }
  }
}

extension GPSDWatchRequest {
  /// Reads one member; unknown ones are ignored.
  mutating func take(_ key: String, _ value: GPSDObjectReader.Value) throws(GPSDObjectProblem) {
    switch key {
    case "enable": enable = try value.asFlag()
    case "json": json = try value.asFlag()
    case "nmea": nmea = try value.asFlag()
    case "raw": raw = try value.asLevel()
    case "scaled": scaled = try value.asFlag()
    case "timing": timing = try value.asFlag()
    case "split24": split24 = try value.asFlag()
    case "pps": pps = try value.asFlag()
    case "device": device = try value.asText()
    case _: break
    }
  }
}

extension GPSDDeviceRequest {
  /// Reads one member; the others would change the receiver, and are ignored.
  mutating func take(_ key: String, _ value: GPSDObjectReader.Value) throws(GPSDObjectProblem) {
    switch key {
    case "path": path = try value.asText()
    case "hexdata": sendsBytes = true
    case _: break
    }
  }
}

/// Values as the type that a key needs; `nil` for `null`, which some clients send for what they do not set.
extension GPSDObjectReader.Value {
  func asFlag() throws(GPSDObjectProblem) -> Bool? {
    switch self {
    case .flag(let flag): return flag
    case .null: return nil
    case .text, .number: throw .wrongType
    }
  }

  func asText() throws(GPSDObjectProblem) -> String? {
    switch self {
    case .text(let text): return text
    case .null: return nil
    case .flag, .number: throw .wrongType
    }
  }

  /// 0, 1 or 2: larger numbers mean 2, and a flag means 0 or 1.
  func asLevel() throws(GPSDObjectProblem) -> Int? {
    switch self {
    case .number(let number):
      guard number >= 0, number == number.rounded() else { throw .wrongType }
      return Int(min(number, 2))
    case .flag(let flag): return flag ? 1 : 0
    case .null: return nil
    case .text: throw .wrongType
    }
  }
}
