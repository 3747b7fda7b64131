import Geodesy

/// Reads a capture as its bytes arrive: push any part of the file, pull records until there is none, and call `finish` at the end
/// of the file. Holds at most one unfinished line besides the bytes pushed last.
package struct CaptureReader: Sendable {
  private var buffer: [UInt8] = []
  /// The offset in `buffer` of the next line to read.
  private var lineStart = 0
  /// The offset up to which `buffer` is known to contain no line end.
  private var searched = 0
  private var lineNumber = 0
  private var lines = CaptureLineDecoder()
  private var failure: CaptureError?

  /// A reader at the beginning of a file.
  package init() {}

  /// Whether these bytes begin like a capture.
  package static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= CaptureFormat.magic.count
      && CaptureFormat.magic.indices.allSatisfy { bytes[$0] == CaptureFormat.magic[$0] }
  }

  /// Receives the next bytes of the file.
  package mutating func push(_ bytes: Span<UInt8>) {
    guard failure == nil else { return }
    if lineStart > 0 {
      buffer.removeSubrange(..<lineStart)
      searched -= lineStart
      lineStart = 0
    }
    buffer.reserveCapacity(buffer.count + bytes.count)
    for index in bytes.indices { buffer.append(bytes[index]) }
  }

  /// The next record, or `nil` if more bytes are needed. After an error it throws the same error again.
  package mutating func next() throws(CaptureError) -> CaptureRecord? {
    if let failure { throw failure }
    while let line = nextLine() {
      if line.count > CaptureFormat.maximumLineLength { throw fail(tooLong) }
      do throws(CaptureLineDecoder.Failure) {
        if let record = try lines.decode(line) { return record }
      } catch {
        throw fail(error.problem)
      }
    }
    if buffer.count - lineStart > CaptureFormat.maximumLineLength {
      lineNumber += 1
      // A file that is not a capture may contain no line end at all.
      throw fail(lines.hasBegun ? tooLong : .notACapture(found: CaptureEscape.excerpt(buffer[lineStart...])))
    }
    return nil
  }

  /// Ends the file, after all records were pulled; throws if the file is truncated or is not a capture.
  package mutating func finish() throws(CaptureError) {
    if let failure { throw failure }
    guard lineStart == buffer.count, lines.hasBegun else {
      lineNumber += 1
      throw fail(
        lines.hasBegun || Self.couldBegin(buffer[lineStart...])
          ? .truncated : .notACapture(found: CaptureEscape.excerpt(buffer[lineStart...])))
    }
  }

  private var tooLong: CaptureError.Problem { .lineTooLong(limit: CaptureFormat.maximumLineLength) }

  /// Whether `bytes` are the beginning of a first line; `false` if there are none.
  private static func couldBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && (bytes.starts(with: CaptureFormat.magic) || CaptureFormat.magic.starts(with: bytes))
  }

  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    var line = buffer[lineStart..<end]
    // The format contains no bare carriage return, so one here was added by a program that converts line ends.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    lineStart = end + 1
    searched = lineStart
    lineNumber += 1
    return line
  }

  private mutating func fail(_ problem: CaptureError.Problem) -> CaptureError {
    let error = CaptureError(line: lineNumber, problem: problem)
    failure = error
    buffer = []
    lineStart = 0
    searched = 0
    return error
  }
}

/// Decodes a capture line by line. Between lines it keeps only the time of the last record, and whether the first line
/// was read.
struct CaptureLineDecoder: Sendable {
  /// Why a line is invalid; the reader adds its number.
  struct Failure: Error {
    var problem: CaptureError.Problem
  }

  /// Whether the first line has been read.
  private(set) var hasBegun = false
  private var latestMicroseconds: Int64 = 0

  /// The record of `line`, which is passed without its end; `nil` for the first line, empty lines and comments.
  mutating func decode(_ line: ArraySlice<UInt8>) throws(Failure) -> CaptureRecord? {
    guard hasBegun else {
      try begin(line)
      return nil
    }
    if line.isEmpty || line.first == UInt8(ascii: "#") { return nil }

    var rest = line
    let timeField = Self.field(&rest)
    guard let microseconds = Self.integer(timeField, in: 0...Self.latestMicroseconds) else {
      throw Self.expected(.microseconds, timeField)
    }
    guard microseconds >= latestMicroseconds else {
      throw Failure(problem: .timeWentBackwards(microseconds: microseconds, previous: latestMicroseconds))
    }
    let kindField = Self.field(&rest)
    guard let kind = CaptureEvent.Kind(rawValue: String(decoding: kindField, as: UTF8.self)) else {
      throw Self.expected(.kind, kindField)
    }
    let sourceField = Self.field(&rest)
    guard let source = Self.integer(sourceField, in: 0...Int64(CaptureFormat.highestSource)) else {
      throw Self.expected(.source, sourceField)
    }
    let event = try Self.event(kind, rest)
    latestMicroseconds = microseconds
    return CaptureRecord(arrival: .microseconds(microseconds), source: Int(source), event: event)
  }

  private static let latestMicroseconds = CaptureFormat.latestArrival.wholeNanoseconds / 1000

  private mutating func begin(_ line: ArraySlice<UInt8>) throws(Failure) {
    guard line.starts(with: CaptureFormat.magic) else {
      throw Failure(problem: .notACapture(found: CaptureEscape.excerpt(line)))
    }
    let version = line.dropFirst(CaptureFormat.magic.count)
    guard Self.integer(version, in: 0...999) == Int64(CaptureFormat.version) else {
      throw Failure(problem: .unsupportedVersion(found: CaptureEscape.excerpt(version)))
    }
    hasBegun = true
  }

  private static func event(_ kind: CaptureEvent.Kind, _ payload: ArraySlice<UInt8>) throws(Failure) -> CaptureEvent {
    switch kind {
    case .start:
      guard let time = UTCText.time(payload) else { throw expected(.utcTime, payload) }
      return .start(time)
    case .device:
      return .device(try device(payload))
    case .speed:
      guard let baud = baud(payload) else { throw expected(.baud, payload) }
      return .speed(baud: baud)
    case .bytes:
      return .bytes(try unescaped(payload))
    case .scan:
      return .scan(try unescaped(payload))
    case .gone:
      guard payload.isEmpty else { throw expected(.endOfLine, payload) }
      return .gone
    }
  }

  private static func device(_ payload: ArraySlice<UInt8>) throws(Failure) -> CapturedDevice {
    var values: [DeviceKey: String] = [:]
    var rest = payload
    while !rest.isEmpty {
      let pair = field(&rest)
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { throw expected(.keyAndValue, pair) }
      let bytes = try unescaped(pair[(equals + 1)...])
      guard let value = String(validating: bytes, as: UTF8.self) else { throw expected(.utf8, pair) }
      // A later recorder may add keys, so ignore unknown ones.
      guard let key = DeviceKey(rawValue: String(decoding: pair[..<equals], as: UTF8.self)) else { continue }
      guard values.updateValue(value, forKey: key) == nil else { throw expected(.valueOnce, pair) }
    }
    guard let path = values[.path], !path.isEmpty else { throw expected(.devicePath, payload) }
    var device = CapturedDevice(path: path)
    device.manufacturer = values[.manufacturer]
    device.product = values[.product]
    device.serial = values[.serial]
    if let text = values[.usb] {
      let ids = text.split(separator: ":", omittingEmptySubsequences: false)
      guard ids.count == 2, ids.allSatisfy({ $0.utf8.count == 4 && $0.first != "+" }),
        let vendor = UInt16(ids[0], radix: 16),
        let product = UInt16(ids[1], radix: 16)
      else { throw expected(.usbID, Array(text.utf8)[...]) }
      device.usbVendorID = vendor
      device.usbProductID = product
    }
    if let text = values[.baud] {
      guard let baud = baud(Array(text.utf8)[...]) else { throw expected(.baud, Array(text.utf8)[...]) }
      device.baud = baud
    }
    return device
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    guard let bytes = CaptureEscape.decode(text) else { throw expected(.escape, text) }
    return bytes
  }

  private static func baud(_ text: ArraySlice<UInt8>) -> Int? {
    integer(text, in: 1...Int64(CaptureFormat.highestBaud)).map(Int.init)
  }

  /// Removes and returns the text before the next space, and removes the space.
  private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let field = rest.prefix { $0 != UInt8(ascii: " ") }
    rest = rest.dropFirst(field.count + 1)
    return field
  }

  /// Decimal digits and nothing else, at most 15 of them.
  private static func integer(_ text: ArraySlice<UInt8>, in range: ClosedRange<Int64>) -> Int64? {
    guard (1...15).contains(text.count) else { return nil }
    var value: Int64 = 0
    for digit in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return range.contains(value) ? value : nil
  }

  private static func expected(_ expected: CaptureError.Expected, _ found: ArraySlice<UInt8>) -> Failure {
    Failure(problem: .expected(expected, found: CaptureEscape.excerpt(found)))
  }
}
