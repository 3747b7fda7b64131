/// The answer of a caster to a request, before the first byte of the body.
package struct CasterReply: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// The body is the stream of corrections.
    case corrections
    /// The body is the list of mount points.
    case sourceTable
    /// A page for people: from a web server, or from a network that requires a login.
    case webPage
    /// The status of HTTP, 300…399; not followed.
    case redirected(Int)
    /// The HTTP status: 400 or more, or another that does not mean success.
    case refused(Int)
    /// `ERROR - …`: the text of the caster, at most 80 bytes, without control characters.
    case error(String)
    /// A compressed body, although no client requests compression.
    case encoded
  }

  package var content: Content
  /// Whether the body is in chunks (RFC 9112, 7.1).
  package var isChunked = false
}

/// Why an answer cannot come from a caster.
package enum CasterReplyError: Error, Hashable, Sendable {
  /// The first line is neither HTTP's nor NTRIP's.
  case notACaster
  /// A line, or the whole head, is longer than any caster's.
  case tooLong
}

/// Reads the beginning of a caster's answer, which may be divided into any pieces.
///
/// `ICY 200 OK` and `SOURCETABLE 200 OK` are complete with their line: casters send an empty line after it, header
/// lines, or data at once. The readers of the body skip such lines.
package struct CasterReplyReader: Sendable {
  /// The longest line and the longest head, bytes.
  package static let longestLine = 1024
  package static let longestHead = 8192

  private var line: [UInt8] = []
  private var headLength = 0
  /// The reply so far, after the first line of HTTP.
  private var head: Head?

  private struct Head {
    var status: Int
    var type: [UInt8] = []
    var isChunked = false
    var isEncoded = false
  }

  package init() {}

  /// Whether no byte has arrived.
  package var isEmpty: Bool { headLength == 0 }

  /// Reads the next bytes; returns the reply and the position of the body in `bytes` when the head is complete.
  package mutating func push(_ bytes: Span<UInt8>) throws(CasterReplyError) -> (reply: CasterReply, body: Int)? {
    for index in 0..<bytes.count {
      let byte = bytes[index]
      headLength += 1
      guard headLength <= Self.longestHead else { throw .tooLong }
      if byte == UInt8(ascii: "\n") {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let reply = try endLine()
        line.removeAll(keepingCapacity: true)
        if let reply { return (reply, index + 1) }
        continue
      }
      line.append(byte)
      guard line.count <= Self.longestLine else { throw .tooLong }
      if head == nil { try checkBeginning() }
    }
    return nil
  }

  /// The reply in an answer that ended in the middle of a line: `ERROR - Bad Password` often has no end.
  package func reply() -> CasterReply? {
    head == nil && line.starts(with: Self.error) ? CasterReply(content: .error(Self.text(of: line))) : nil
  }

  private static let icy = Array("ICY ".utf8)
  private static let http = Array("HTTP/1.".utf8)
  private static let table = Array("SOURCETABLE ".utf8)
  private static let error = Array("ERROR".utf8)

  /// Recognizes another protocol by its first bytes, instead of waiting for the end of a line that may never come.
  private func checkBeginning() throws(CasterReplyError) {
    for known in [Self.icy, Self.http, Self.table, Self.error]
    where line.starts(with: known.prefix(line.count)) {
      return
    }
    throw .notACaster
  }

  /// Reads one line; returns the reply if it completes the head.
  private mutating func endLine() throws(CasterReplyError) -> CasterReply? {
    guard head == nil else { return endHeader() }
    if line.starts(with: Self.error) { return CasterReply(content: .error(Self.text(of: line))) }
    guard let status = Self.status(in: line) else { throw .notACaster }
    if line.starts(with: Self.http) {
      head = Head(status: status)
      return nil
    }
    guard status == 200 else { return CasterReply(content: Self.failure(status)) }
    return CasterReply(content: line.starts(with: Self.table) ? .sourceTable : .corrections)
  }

  private mutating func endHeader() -> CasterReply? {
    guard var head else { return nil }
    guard !line.isEmpty else { return Self.reply(to: head) }
    let name = line.prefix { $0 != UInt8(ascii: ":") }.map { ASCII.lowercased($0) }
    let value = line.dropFirst(name.count + 1).drop { $0 == 0x20 || $0 == 0x09 }.map { ASCII.lowercased($0) }
    switch String(decoding: name, as: UTF8.self) {
    case "content-type": head.type = value
    case "transfer-encoding" where value.starts(with: "chunked".utf8): head.isChunked = true
    case "transfer-encoding", "content-encoding":
      if !value.isEmpty, !value.starts(with: "identity".utf8) { head.isEncoded = true }
    default: break
    }
    self.head = head
    return nil
  }

  private static func reply(to head: Head) -> CasterReply {
    let content: CasterReply.Content
    if head.status != 200 {
      content = failure(head.status)
    } else if head.isEncoded {
      content = .encoded
    } else if head.type.starts(with: "gnss/sourcetable".utf8) {
      content = .sourceTable
    } else if head.type.starts(with: "text/html".utf8) || head.type.starts(with: "application/xhtml".utf8) {
      content = .webPage
    } else {
      content = .corrections
    }
    return CasterReply(content: content, isChunked: head.isChunked)
  }

  private static func failure(_ status: Int) -> CasterReply.Content {
    (300...399).contains(status) ? .redirected(status) : .refused(status)
  }

  /// The three digits after the first blank.
  private static func status(in line: [UInt8]) -> Int? {
    let rest = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard digits.count == 3 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// What follows `ERROR`, without the dash.
  private static func text(of line: [UInt8]) -> String {
    ASCII.text(
      line.dropFirst(error.count).drop { $0 == 0x20 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }, limit: 80)
  }
}
