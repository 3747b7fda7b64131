import NetworkSources
import Testing

/// The beginning of a caster's answer.
@Suite struct ReplyTests {
  /// Reads an answer byte by byte: the reply, and the position of the body.
  private func read(_ text: String) throws(CasterReplyError) -> (content: CasterReply.Content, chunks: Bool, body: Int)?
  {
    var reader = CasterReplyReader()
    for (index, byte) in text.utf8.enumerated() {
      if let found = try reader.push([byte].span) {
        return (found.reply.content, found.reply.isChunked, index + 1)
      }
    }
    return reader.reply().map { ($0.content, $0.isChunked, text.utf8.count) }
  }

  private static let answers: [(String, CasterReply.Content, Int)] = [
    // With an empty line after it, without one, and with header lines: what follows is left to the reader of the body.
    ("ICY 200 OK\r\n\r\n", .corrections, 12), ("ICY 200 OK\n", .corrections, 11),
    ("ICY 200 OK\r\nServer: x\r\n\r\n", .corrections, 12), ("ICY 401 Unauthorized\r\n", .refused(401), 22),
    ("SOURCETABLE 200 OK\r\nServer: x\r\n", .sourceTable, 20),
    ("HTTP/1.0 200 OK\r\n\r\n", .corrections, 19),
    ("HTTP/1.1 200 OK\r\ncontent-type:  GNSS/DATA; x\r\n\r\nD3", .corrections, 48),
    ("HTTP/1.1 200 OK\nContent-Type: application/octet-stream\n\n", .corrections, 56),
    ("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n", .sourceTable, 51),
    ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", .webPage, 59),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", .encoded, 43),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .encoded, 53),
    ("HTTP/1.1 302 Found\r\nLocation: http://login/\r\n\r\n", .redirected(302), 47),
    ("HTTP/1.1 401 Unauthorized\r\n\r\n", .refused(401), 29), ("HTTP/1.1 404\r\n\r\n", .refused(404), 16),
    ("HTTP/1.1 204 No Content\r\n\r\n", .refused(204), 27), ("HTTP/1.1 503 x\r\n\r\n", .refused(503), 18),
    ("ERROR - Bad Password\r\n", .error("Bad Password"), 22), ("ERROR", .error(""), 5),
    ("ERROR: Mount \u{1B}[31mTaken", .error("Mount ?[31mTaken"), 23),
  ]

  @Test(arguments: ReplyTests.answers)
  func replies(text: String, content: CasterReply.Content, body: Int) throws {
    let found = try #require(try read(text))
    #expect(found.content == content && found.body == body && !found.chunks)
  }

  @Test func chunks() throws {
    let found = try read("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Encoding: identity\r\n\r\n")
    #expect(found?.chunks == true && found?.content == .corrections)
  }

  @Test(arguments: ["ICY", "HTTP/1.1 200 OK\r\nServer: x\r\n", "SOURCETABLE 200", ""])
  func incomplete(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200\r\n", "\u{16}\u{3}\u{1}", "<html>", "\r\nICY 200 OK\r\n", "ICY OK\r\n",
    "HTTP/1.1 x\r\n",
    "HTTP/1.1 2000 OK\r\n", "220 smtp ready\r\n", "$GPGGA,1",
  ])
  func otherProtocols(text: String) {
    #expect(throws: CasterReplyError.notACaster) { try read(text) }
  }

  /// A head without an end takes a bounded amount of memory.
  @Test func bounds() {
    #expect(throws: CasterReplyError.tooLong) { try read("ICY 200 " + String(repeating: "x", count: 2000)) }
    #expect(throws: CasterReplyError.tooLong) {
      try read("HTTP/1.1 200 OK\r\n" + String(repeating: "Name: value\r\n", count: 2000))
    }
  }
}
