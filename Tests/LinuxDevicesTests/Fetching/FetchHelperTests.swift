import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import Positioning
import TestSupport
import Testing

/// The real fetcher, started as a process for each order and at a socket, with a real server on this machine.
@Suite(.enabled(if: StandInServer.isPossible, "there is no Python, or no libcurl")) struct FetchHelperTests {
  private static let program = HelperProgram(
    path: HelperProcess.folder + "/locationd", name: "locationd", arguments: [FetchLink.argument])

  /// The results of orders, one after the other, with a fetcher that is started for each.
  private func fetch(_ orders: [FetchRequest], program: HelperProgram? = program) throws -> [FetchResponse] {
    let loop = try EventLoop()
    let link = FetchLink(loop: loop, path: "/nonexistent/fetch", program: program)
    var replies: [FetchResponse] = []
    func next() {
      guard replies.count < orders.count else { return loop.stop() }
      link.ask(orders[replies.count]) {
        replies.append($0)
        next()
      }
    }
    loop.schedule(at: loop.now + .seconds(120)) {
      Issue.record("nothing came")
      loop.stop()
    }
    next()
    try loop.run()
    return replies
  }

  private func question(_ text: String, body: String = "{}") throws -> FetchRequest {
    let address = try #require(WebAddress(text))
    return try #require(FetchRequest(.position, address, body: Array(body.utf8)))
  }

  private func tile(_ text: String) throws -> FetchRequest {
    let address = try #require(WebAddress(text))
    return try #require(FetchRequest(.tile, address))
  }

  @Test func answersOfAllKinds() throws {
    let server = try StandInServer()
    let body = #"{"considerIp":false}"#
    let replies = try fetch(
      ["/found", "/not-found", "/too-often", "/failing", "/page"].map {
        try question(server.address($0), body: body)
      })
    #expect(
      replies == [
        .answered(
          WebResponse(status: 200, body: Array(#"{"location":{"lat":47.5,"lng":8.5},"accuracy":80}"#.utf8))),
        .answered(WebResponse(status: 404, body: Array(#"{"error":{"code":404,"message":"Not found"}}"#.utf8))),
        .answered(WebResponse(status: 429, retryAfter: .seconds(7200), body: Array("{}".utf8))),
        .answered(WebResponse(status: 500, body: Array("oh".utf8))),
        .answered(WebResponse(status: 200, body: Array("<html><body>Sign in</body></html>".utf8))),
      ])
    // The request contains who asks, in which format, and the question; and nothing else about this machine.
    let text = String(decoding: server.received, as: UTF8.self)
    #expect(text.hasPrefix("POST /found HTTP/1.1\r\n"))
    #expect(text.contains("User-Agent: swift-corelocation/") && text.contains("Content-Type: application/json"))
    #expect(text.contains(body))
    let headers = Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        line.contains("{") ? nil : line.split(separator: ":").first.map(String.init)
      }.filter { !$0.hasPrefix("POST") })
    #expect(headers == ["Host", "User-Agent", "Content-Type", "Accept", "Content-Length"])
  }

  /// No redirect to a file is followed, and no redirect of a question; a server of files may redirect, but not in a circle.
  @Test func whereItIsSentOnTo() throws {
    let server = try StandInServer()
    let found = FetchResponse.answered(
      WebResponse(status: 200, body: Array(#"{"location":{"lat":47.5,"lng":8.5},"accuracy":80}"#.utf8)))
    #expect(
      try fetch([
        try tile(server.address("/to-file")), try question(server.address("/to-file")),
        try tile(server.address("/to-other")), try question(server.address("/to-other")),
        try tile(server.address("/circle")),
      ]) == [.failed(.redirected), .failed(.redirected), found, .failed(.redirected), .failed(.redirected)])
  }

  /// The named server may be on this machine; a server that it redirects to may not, unless it is the named server
  /// itself.
  @Test func aRedirectInsideIsNotFollowed() throws {
    let server = try StandInServer()
    #expect(try fetch([try tile(server.address("/to-inside"))]) == [.failed(.redirected)])
    #expect(!String(decoding: server.received, as: UTF8.self).contains("GET /found"))
  }

  /// More data than a correct answer can have is rejected, whether its length was announced or not.
  @Test func tooMuch() throws {
    let server = try StandInServer()
    #expect(
      try fetch([
        try question(server.address("/huge")), try question(server.address("/endless")),
        try tile(server.address("/huge")), try tile(server.address("/endless")),
      ]) == [FetchResponse](repeating: .failed(.tooLong), count: 4))
  }

  @Test func brokenConnections() throws {
    let server = try StandInServer()
    let replies = try fetch([
      try question(server.address("/cut")), try question("http://127.0.0.1:1/x"),
      try question("http://no-such-machine.invalid/x"), try question("https://127.0.0.1:\(server.port)/found"),
    ])
    // CURLE_PARTIAL_FILE.
    #expect(replies[0] == .failed(.transfer(code: 18)))
    #expect(replies[1] == .failed(.noConnection))
    // If no name server answers, this takes as long as connecting may take.
    #expect([.failed(.noSuchHost), .failed(.tooLate)].contains(replies[2]))
    // That server has no TLS.
    #expect(replies[3] == .failed(.notTrusted))
  }

  /// A server that sends nothing costs fifteen seconds, during which waiting clients receive nothing.
  @Test func aServerThatHangs() throws {
    let server = try StandInServer()
    #expect(try fetch([try question(server.address("/hang"))]) == [.failed(.tooLate)])
  }

  @Test func nobodyToFetch() throws {
    let order = try question("http://127.0.0.1:1/x")
    #expect(try fetch([order], program: nil) == [.failed(.noFetcher)])
    let other = HelperProgram(path: "/nonexistent/locationd", name: "locationd", arguments: [])
    #expect(try fetch([order], program: other) == [.failed(.noFetcher)])
    // A helper that ends, and one that prints something else.
    #expect(
      try fetch([order], program: HelperProgram(path: "/bin/true", name: "true", arguments: []))
        == [.failed(.fetcherFailed)])
    #expect(
      try fetch([order], program: HelperProgram(path: "/bin/sh", name: "sh", arguments: ["-c", "echo no >&0; read x"]))
        == [.failed(.fetcherFailed)])
  }

  /// With a socket like that of the unit: several orders follow each other, and an invalid order gets no answer.
  @Test func atASocket() throws {
    let web = try StandInServer()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fetch-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("socket").path
    let loop = try EventLoop()
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o600))
    let server = try FetchServer(loop: loop, listener: listener, agent: "test/1") {}
    let link = FetchLink(loop: loop, path: path, program: nil)
    loop.schedule(at: loop.now + .seconds(30)) {
      Issue.record("nothing came")
      loop.stop()
    }
    for bytes in [[UInt8](repeating: 0, count: 6), [1, 9, 0, 0, 0, 0], [1, 0, 255, 255, 0, 0]] {
      let stream = try UnixStream(connectingTo: try UnixAddress(path: path))
      #expect(stream.write(bytes[...]) == .written(bytes.count))
      let watch = try loop.watch(stream.descriptor) { _ in loop.stop() }
      try withExtendedLifetime(server) { try loop.run() }
      var buffer = [UInt8](repeating: 0, count: 16)
      let outcome = stream.read(into: &buffer)
      loop.unwatch(watch)
      switch outcome {
      case .endOfFile, .failed: break
      case .bytes, .wouldBlock: Issue.record("an answer, or none")
      }
    }
    var replies: [FetchResponse] = []
    let orders = [try question(web.address("/found")), try tile(web.address("/nowhere"))]
    func next() {
      guard replies.count < orders.count else { return loop.stop() }
      link.ask(orders[replies.count]) {
        replies.append($0)
        next()
      }
    }
    next()
    try withExtendedLifetime(server) { try loop.run() }
    #expect(
      replies.map {
        if case .answered(let answer) = $0 { answer.status } else { 0 }
      } == [200, 404])
    #expect(String(decoding: web.received, as: UTF8.self).contains("User-Agent: test/1"))
  }
}
