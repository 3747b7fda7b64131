import NetworkSources
import TestSupport
import Testing

/// Bodies in chunks.
@Suite struct ChunkTests {
  private func data(of body: [UInt8], pieces: Int) throws(ChunkReader.Failure) -> (data: [UInt8], isEnded: Bool) {
    var reader = ChunkReader()
    var data: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: pieces) {
      let piece = Array(body[start..<min(start + pieces, body.count)])
      try reader.push(piece.span) { data += piece[$0] }
    }
    return (data, reader.isEnded)
  }

  private func check(_ body: String, _ expected: String, isEnded: Bool = true) throws {
    for pieces in 1...max(1, body.utf8.count) {
      let found = try data(of: Array(body.utf8), pieces: pieces)
      #expect(String(decoding: found.data, as: UTF8.self) == expected && found.isEnded == isEnded, "\(pieces)")
    }
  }

  @Test func valid() throws {
    try check("4\r\nWiki\r\n7\r\npedia i\r\nB\r\nn \r\nchunks.\r\n0\r\n\r\n", "Wikipedia in \r\nchunks.")
    try check("a;name=\"x;y\"\r\n0123456789\r\n000\r\nTrailer: x\r\n\r\nignored", "0123456789")
    try check("3  \r\nabc\r\n0 ; x\n\n", "abc")
    try check("3\nabc\n0\n\n", "abc")
    try check("3\r\nab", "ab", isEnded: false)
    // An endless chunk.
    try check("7fffffff\r\nabcdefgh", "abcdefgh", isEnded: false)
    try check("", "", isEnded: false)
  }

  private static let bodies: [(String, ChunkReader.Failure)] = [
    ("\r\nabc", .badLength), ("x\r\n", .badLength), ("80000000\r\n", .badLength),
    ("ffffffffffffffffffff\r\n", .badLength), ("-1\r\n", .badLength), ("3\r\nabcd\r\n", .missingEnd),
    ("3\r\nabc\r\r\n", .missingEnd), ("3\r\nabc\r\n\r\n", .badLength), ("0000000000000000000\r\n", .badLength),
    ("3;" + String(repeating: "x", count: 1100) + "\r\n", .tooLong),
    ("0\r\n" + String(repeating: "a: b\r\n", count: 300), .tooLong),
  ]

  @Test(arguments: ChunkTests.bodies)
  func invalid(body: String, failure: ChunkReader.Failure) {
    for pieces in [1, 2, 7, body.utf8.count] {
      #expect(throws: failure) { try data(of: Array(body.utf8), pieces: pieces) }
    }
  }

  /// Random data in random chunks and pieces.
  @Test func anyCut() throws {
    var random = SplitMix64(seed: 7)
    let sent = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var body: [UInt8] = []
    var start = 0
    while start < sent.count {
      let end = min(sent.count, start + Int.random(in: 1...300, using: &random))
      body += "\(String(end - start, radix: 16))\r\n".utf8
      body += sent[start..<end]
      body += [13, 10]
      start = end
    }
    body += Array("0\r\n\r\n".utf8)
    for pieces in [1, 2, 3, 5, 17, 256, 9000] {
      let found = try data(of: body, pieces: pieces)
      #expect(found.data == sent && found.isEnded)
    }
  }
}
