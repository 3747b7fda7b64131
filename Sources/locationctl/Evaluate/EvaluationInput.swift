import LinuxIO
import LocationReplay

/// The files that an evaluation reads. They come from third parties, so their contents are untrusted.
enum EvaluationInput {
  /// The size of one read, bytes.
  private static let chunk = 65_536

  /// The format of the log; `unknown` if it may be a table.
  static func format(of path: String) throws(FailureMessage) -> LogFormat { try format(of: path, remedy: logRemedy) }

  /// Passes the rows of a table to a run.
  static func rows(of path: String, into run: EvaluationRun) throws(FailureMessage) {
    try readTable(path, remedy: logRemedy) { run.receive($0) }
  }

  /// Reads the reference from a file.
  static func reference(_ path: String) throws(FailureMessage) -> Reference {
    var points: [ReferencePoint] = []
    switch try format(of: path, remedy: truthRemedy) {
    case .nmea:
      var reader = NMEAReferenceReader()
      try forEachChunk(of: path, remedy: truthRemedy) { (bytes: Span<UInt8>) throws(FailureMessage) in
        reader.push(bytes)
      }
      guard !reader.isOverfull else {
        throw FailureMessage(
          "\(TerminalText.sanitized(path)) has more than \(NMEAReferenceReader.maximumPoints) positions, which is too many: split the file.",
          .badInput)
      }
      guard !reader.reference.points.isEmpty else {
        throw FailureMessage(
          "\(TerminalText.sanitized(path)) has no GGA sentence with a position: \(truthRemedy).", .badInput)
      }
      return reader.reference
    case .unknown:
      try readTable(path, remedy: truthRemedy) {
        points.append(ReferencePoint(time: $0.time, coordinate: $0.coordinate))
      }
      guard let first = points.map(\.time).min() else {
        throw FailureMessage("\(TerminalText.sanitized(path)) has no position: \(truthRemedy).", .badInput)
      }
      return Reference(points: points, clock: ReferenceClock(ofTableFrom: first))
    case .capture, .ubx, .empty:
      throw FailureMessage(
        "\(TerminalText.sanitized(path)) is not a file of true positions: \(truthRemedy).", .badInput)
    }
  }

  private static let logRemedy = "use a capture, an NMEA log, a UBX log, or CSV with the columns t, lat and lon"
  private static let truthRemedy = "use NMEA with GGA, or CSV with the columns t, lat and lon"

  private static func format(of path: String, remedy: String) throws(FailureMessage) -> LogFormat {
    let file = try open(path, remedy: remedy)
    var buffer = [UInt8](repeating: 0, count: LogFormat.prefixLength)
    let count = try read(file, into: &buffer, path, remedy: remedy)
    let format = LogFormat.detect(buffer.span.extracting(0..<count))
    guard format != .empty else {
      throw FailureMessage("\(TerminalText.sanitized(path)) is empty: \(remedy).", .badInput)
    }
    return format
  }

  // MARK: Reading

  private static func open(_ path: String, remedy: String) throws(FailureMessage) -> InputFile {
    do throws(InputFileError) {
      return try InputFile(path: path)
    } catch {
      throw FailureMessage(error, path: path, remedy: remedy)
    }
  }

  private static func read(
    _ file: borrowing InputFile, into buffer: inout [UInt8], _ path: String, remedy: String
  ) throws(FailureMessage) -> Int {
    do throws(SystemError) {
      return try file.read(into: &buffer)
    } catch {
      throw FailureMessage(.system(error), path: path, remedy: remedy)
    }
  }

  private static func forEachChunk(
    of path: String, remedy: String, _ body: (Span<UInt8>) throws(FailureMessage) -> Void
  ) throws(FailureMessage) {
    let file = try open(path, remedy: remedy)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = try read(file, into: &buffer, path, remedy: remedy)
      guard count > 0 else { return }
      try body(buffer.span.extracting(0..<count))
    }
  }

  private static func readTable(
    _ path: String, remedy: String, _ body: (PositionRow) -> Void
  ) throws(FailureMessage) {
    var reader = PositionTableReader()
    try forEachChunk(of: path, remedy: remedy) { (bytes: Span<UInt8>) throws(FailureMessage) in
      do throws(TableError) {
        try reader.push(bytes, body)
      } catch {
        throw FailureMessage(error, path: path, remedy: remedy)
      }
    }
    do throws(TableError) {
      try reader.finish(body)
    } catch {
      throw FailureMessage(error, path: path, remedy: remedy)
    }
  }
}
