/// Splits the bytes of a client into requests. A request ends with its line, or, if the client sends no line end, with its `;` or its
/// object once the client is silent. A line can have several requests, and requests arrive in parts.
package struct GPSDCommandReader: Sendable {
  /// The longest line, without its end.
  package static let longestLine = 1024
  /// The most bytes that wait here: what one read adds to an incomplete line.
  package static let mostBytes = 8192
  /// The time without a byte after which a request without a line end is carried out.
  package static let silence: Duration = .milliseconds(50)

  /// Why the connection has to be closed.
  package enum Problem: Error, Hashable, Sendable {
    /// A line is longer than `longestLine`.
    case tooLong
    /// The first line is not a request: a web browser (HTTP), a TLS handshake, or another protocol.
    case foreign
  }

  private var pending: [UInt8] = []
  /// The first byte of `pending` that is not read yet.
  private var start = 0
  /// Whether a line was read that began with a valid request. Other lines are then ignored, as gpsd does.
  private var hasValidRequest = false
  /// Whether the current line has begun with a request.
  private var isInLine = false
  /// Whether the rest of the current line is ignored.
  private var isSkippingLine = false
  /// Whether the last request was an object whose optional `;` has not come yet.
  private var awaitsSemicolon = false

  package init() {}

  /// Whether bytes wait that may be a request without a line end.
  package var hasBytes: Bool { start < pending.count }

  /// Adds the bytes of a read.
  package mutating func append(_ bytes: [UInt8]) throws(Problem) {
    if start > 0 {
      pending.removeFirst(start)
      start = 0
    }
    guard pending.count + bytes.count <= Self.mostBytes else { throw .tooLong }
    pending += bytes
  }

  /// The next request.
  ///
  /// - Parameter isSilent: the client has been silent for `silence`, so that a request needs no line end.
  /// - Returns: `nil` until more bytes arrive.
  package mutating func next(isSilent: Bool) throws(Problem) -> GPSDCommand? {
    while true {
      if isSkippingLine {
        guard let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) else {
          (pending, start) = ([], 0)
          return nil
        }
        start = end
        isSkippingLine = false
      }
      skipBlanks()
      guard start < pending.count else {
        // Returns the memory: most clients send one request.
        (pending, start) = ([], 0)
        return nil
      }
      if !isInLine, pending[start] != UInt8(ascii: "?") {
        guard hasValidRequest else { throw .foreign }
        isSkippingLine = true
        continue
      }
      let lineEnd = pending[start...].firstIndex(of: UInt8(ascii: "\n"))
      guard (lineEnd ?? pending.count) - start <= Self.longestLine else { throw .tooLong }
      guard lineEnd != nil || isSilent else { return nil }
      let end = lineEnd ?? pending.count
      guard let (command, next) = Self.command(in: pending, start..<end, isWhole: lineEnd != nil) else { return nil }
      isInLine = true
      start = next
      switch command {
      case .watch, .configureDevice:
        hasValidRequest = true
        awaitsSemicolon = pending[next - 1] != UInt8(ascii: ";")
      case .version, .devices, .device, .poll, .watchState:
        hasValidRequest = true
        awaitsSemicolon = false
      case .invalid, .unrecognized: break
      }
      return command
    }
  }

  /// Skips white space, line ends, and a `;` that belongs to an object before it.
  private mutating func skipBlanks() {
    while start < pending.count {
      switch pending[start] {
      case UInt8(ascii: "\n"):
        (isInLine, awaitsSemicolon) = (false, false)
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C: break
      case UInt8(ascii: ";") where awaitsSemicolon: awaitsSemicolon = false
      case _: return
      }
      start += 1
    }
  }

  // MARK: - One request

  private static let simple: [(text: [UInt8], command: GPSDCommand)] = [
    (Array("?VERSION;".utf8), .version), (Array("?DEVICES;".utf8), .devices), (Array("?DEVICE;".utf8), .device),
    (Array("?POLL;".utf8), .poll), (Array("?WATCH;".utf8), .watchState),
  ]
  private static let watch = Array("?WATCH=".utf8)
  private static let device = Array("?DEVICE=".utf8)
  /// The longest part of an unrecognized request that the answer repeats.
  private static let longestQuote = 80

  /// Reads the request at the beginning of `range`.
  ///
  /// - Parameter isWhole: the range ends with the line, and not only with what was received.
  /// - Returns: the request and the index after it; `nil` if the request may go on.
  private static func command(
    in bytes: [UInt8], _ range: Range<Int>, isWhole: Bool
  ) -> (GPSDCommand, next: Int)? {
    let text = bytes[range]
    for (request, command) in simple where text.starts(with: request) {
      return (command, range.lowerBound + request.count)
    }
    if text.starts(with: watch) {
      var request = GPSDWatchRequest()
      let end = object(text, after: watch) { (key, value) throws(GPSDObjectProblem) in try request.take(key, value) }
      return ended(end, .watch, .watch(request), in: range, isWhole: isWhole)
    }
    if text.starts(with: device) {
      var request = GPSDDeviceRequest()
      let end = object(text, after: device) { (key, value) throws(GPSDObjectProblem) in try request.take(key, value) }
      return ended(end, .device, .configureDevice(request), in: range, isWhole: isWhole)
    }
    // Without a line end only `;` shows that the request is complete.
    guard isWhole || text.contains(UInt8(ascii: ";")) else { return nil }
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] <= 0x20 { end -= 1 }
    let quote = bytes[range.lowerBound..<end].prefix(longestQuote)
    return (.unrecognized(String(decoding: quote, as: UTF8.self)), range.upperBound)
  }

  /// Reads the object of a request; returns the number of bytes to its end, including a `;` after it.
  private static func object(
    _ text: ArraySlice<UInt8>, after name: [UInt8],
    _ member: (String, GPSDObjectReader.Value) throws(GPSDObjectProblem) -> Void
  ) -> Result<Int, GPSDObjectProblem> {
    do throws(GPSDObjectProblem) {
      let text = Array(text)
      let end = try GPSDObjectReader.read(text, from: name.count, member)
      return .success(end < text.count && text[end] == UInt8(ascii: ";") ? end + 1 : end)
    } catch {
      return .failure(error)
    }
  }

  private static func ended(
    _ object: Result<Int, GPSDObjectProblem>, _ name: GPSDCommandName, _ command: GPSDCommand, in range: Range<Int>,
    isWhole: Bool
  ) -> (GPSDCommand, next: Int)? {
    switch object {
    case .success(let count): return (command, range.lowerBound + count)
    case .failure(.truncated) where !isWhole: return nil
    // The rest of the line belongs to the object that cannot be read.
    case .failure(let problem): return (.invalid(name, problem), range.upperBound)
    }
  }
}
