import Geodesy
import Positioning
import TestSupport
import Testing

/// Messages between the service and its fetcher, neither of which trusts the other.
@Suite struct FetchCodecTests {
  private func order(_ purpose: FetchRequest.Purpose = .position, body: [UInt8] = [1, 2, 3]) throws -> FetchRequest {
    let address = try #require(WebAddress("https://example.org/v1/geolocate?key=a%20b"))
    return try #require(FetchRequest(purpose, address, body: purpose.longestBody == 0 ? [] : body))
  }

  @Test(arguments: [
    "http://a", "https://a.example/b?c=d", "http://[::1]:80/x", "https://user:word@a/b", "http://127.0.0.1:8080",
  ]) func addresses(_ text: String) throws { #expect(WebAddress(text)?.text == text) }

  @Test(arguments: [
    "", "https://", "http:///x", "file:///etc/passwd", "ftp://a/b", "HTTPS://a", "a.example", "https://a b",
    "https://:80",
    "https://a/\n", "https://ä.example", "https://a/#b", "javascript:alert(1)", "gopher://a", "http://a/{1-100}",
    "https://a/" + String(repeating: "x", count: 1100),
  ]) func noAddresses(_ text: String) { #expect(WebAddress(text) == nil) }

  @Test func partsOfAddresses() throws {
    #expect(WebAddress("https://user:word@a.example:81/b?key=c")?.host == "a.example:81")
    #expect(WebAddress("https://a?key=c")?.host == "a")
    #expect(WebAddress("https://a")?.isSecret == true && WebAddress("http://a")?.isSecret == false)
    #expect(WebAddress("http://a/b")?.appending("v1/2/3.tile")?.text == "http://a/b/v1/2/3.tile")
    #expect(WebAddress("http://a/b/")?.appending("v1/2/3.tile")?.text == "http://a/b/v1/2/3.tile")
  }

  @Test(arguments: [
    ("/srv/tiles", TileSource.folder("/srv/tiles")), ("tiles", nil), ("", nil), ("https://a/?b=c", nil),
    ("file:///srv", nil),
  ]) func sources(_ text: String, _ source: TileSource?) { #expect(TileSource(text) == source) }

  /// A message is read as a whole, and never before its last byte has come.
  @Test func ordersByByte() throws {
    for purpose in FetchRequest.Purpose.allCases {
      let order = try order(purpose)
      let bytes = order.bytes
      #expect(bytes.count <= FetchRequest.maximumSize)
      for count in 0..<bytes.count { #expect(FetchRequest.read(Array(bytes[..<count]).span) == .incomplete) }
      #expect(FetchRequest.read(bytes.span) == .order(order))
      #expect(FetchRequest.read((bytes + [0]).span) == .foreign)
    }
    let address = try #require(WebAddress("http://a"))
    #expect(FetchRequest(.tile, address, body: [1]) == nil)
    #expect(FetchRequest(.position, address, body: [UInt8](repeating: 0, count: 5000)) == nil)
  }

  @Test func repliesByByte() {
    let replies: [FetchResponse] =
      [
        .answered(WebResponse(status: 200, body: Array("{}".utf8))),
        .answered(WebResponse(status: 429, retryAfter: .seconds(120))),
        .failed(.transfer(code: 52)), .failed(.unreadable(errno: 13)), .failed(.refused(status: 500)),
      ] + (1...10).compactMap { FetchProblem(code: $0, number: 0) }.map { .failed($0) }
    #expect(replies.count == 15)
    for reply in replies {
      let bytes = reply.bytes
      for count in 0..<bytes.count {
        #expect(FetchResponse.read(Array(bytes[..<count]).span, to: .tile) == .incomplete)
      }
      #expect(FetchResponse.read(bytes.span, to: .tile) == .reply(reply))
      #expect(FetchResponse.read((bytes + [0]).span, to: .tile) == .foreign)
    }
    // Longer than its purpose permits, which the header already shows.
    let long = FetchResponse.answered(WebResponse(status: 200, body: [UInt8](repeating: 0, count: 70_000))).bytes
    #expect(FetchResponse.read(Array(long[..<FetchResponse.headSize]).span, to: .position) == .foreign)
    #expect(FetchResponse.read(Array(long[..<FetchResponse.headSize]).span, to: .tile) == .incomplete)
  }

  /// Any bytes: rejected, incomplete, or read as the same after they are written again.
  @Test func anyBytes() throws {
    var random = SplitMix64(seed: 5)
    let seeds = [
      try order().bytes, try order(.tile).bytes, FetchResponse.answered(WebResponse(status: 200, body: [1, 2])).bytes,
      FetchResponse.failed(.tooLate).bytes,
    ]
    for _ in 0..<50_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<min(16, bytes.count), using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if case .order(let order) = FetchRequest.read(bytes.span) { #expect(order.bytes == bytes) }
      for purpose in FetchRequest.Purpose.allCases {
        guard case .reply(let reply) = FetchResponse.read(bytes.span, to: purpose) else { continue }
        #expect(FetchResponse.read(reply.bytes.span, to: purpose) == .reply(reply))
      }
    }
  }
}
