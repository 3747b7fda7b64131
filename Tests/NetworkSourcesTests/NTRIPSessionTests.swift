import Geodesy
import NetworkSources
import Testing

/// Transcripts of casters, read at once and byte by byte.
@Suite struct NTRIPTranscriptTests {
  private let start = Instant(nanoseconds: 5_000_000_000_000)

  private func asked() throws -> NTRIPSession {
    let address = try CasterAddress(parsing: "ntrip://caster.example.org:2101/MUC2")
    var session = NTRIPSession(CasterConfiguration(address: address), release: "1", at: start, seed: 1)
    let place = try SampleFix.position()
    _ = session.handle(.position(place), at: start)
    let actions = session.handle(.start, at: start)
    #expect(actions.contains(.connect(address.server, isEncrypted: false)))
    _ = session.handle(.connected, at: start)
    return session
  }

  /// The frames and the last status after an answer in two pieces, and then the end of the connection.
  private func result(of answer: [UInt8], cutAt cut: Int, closes: Bool) throws -> (frames: Int, status: NTRIPStatus) {
    var session = try asked()
    var frames = 0
    for piece in [answer.prefix(cut), answer.dropFirst(cut)] {
      for action in session.receive(Array(piece).span, at: start) {
        if case .pass(let frame) = action {
          #expect(frame.bytes == Transcript.frame)
          frames += 1
        }
      }
    }
    if closes { _ = session.handle(.closed, at: start) }
    return (frames, session.status)
  }

  private func check(
    _ answer: [UInt8], frames: Int, closes: Bool = false, _ isExpected: (NTRIPStatus) -> Bool
  ) throws {
    for cut in 0...answer.count {
      let found = try result(of: answer, cutAt: cut, closes: closes)
      #expect(found.frames == frames && isExpected(found.status), "cut at \(cut): \(found)")
    }
  }

  private func isPausing(after problem: NTRIPProblem) -> (NTRIPStatus) -> Bool {
    { if case .pausing(problem, _) = $0 { true } else { false } }
  }

  @Test func streams() throws {
    let frame = Transcript.frame
    for head in [
      Transcript.version1, Array("ICY 200 OK\r\n".utf8), Array("ICY 200 OK\r\nServer: x\r\nDate: y\r\n\r\n".utf8),
      Transcript.version2, Array("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n".utf8),
    ] {
      try check(head + frame + [0xD3, 0xD3] + frame + frame, frames: 3) { $0 == .streaming }
      try check(head, frames: 0) { $0 == .waiting }
      try check(head + frame, frames: 1, closes: true, isPausing(after: .connection(.closed)))
    }
  }

  @Test func chunks() throws {
    let frame = Transcript.frame
    // A frame over three chunks, and one chunk with two frames.
    var body = Transcript.chunk(Array(frame[..<1])) + Transcript.chunk(Array(frame[1..<20]))
    body += Transcript.chunk(Array(frame[20...])) + Transcript.chunk(frame + frame)
    try check(Transcript.chunked + body, frames: 3) { $0 == .streaming }
    try check(Transcript.chunked + body + Array("0\r\n\r\n".utf8), frames: 3, isPausing(after: .connection(.closed)))
    // A chunk without an end, and one that is longer than it says.
    try check(Transcript.chunked + Array("7fffffff\r\n".utf8) + frame + frame, frames: 2) { $0 == .streaming }
    try check(
      Transcript.chunked + Array("19\r\n".utf8) + frame + frame, frames: 1, isPausing(after: .badChunks))
  }

  @Test func refusals() throws {
    let texts: [(String, NTRIPProblem)] = [
      ("HTTP/1.1 401 Unauthorized\r\n\r\n", .unauthorized(401)), ("HTTP/1.0 403 Forbidden\r\n\r\n", .unauthorized(403)),
      ("HTTP/1.1 404 Not Found\r\n\r\n", .noSuchMount([])), ("ERROR - Bad Password\r\n", .unauthorized(401)),
      ("HTTP/1.1 503 Busy\r\n\r\n", .refused(503)), ("HTTP/1.1 302 x\r\nLocation: /\r\n\r\n", .redirected(302)),
      ("ERROR - Mount Point Taken\r\n", .error("Mount Point Taken")), ("SSH-2.0-x\r\n", .notACaster),
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", .webPage),
      ("HTTP/1.1 200 OK\r\n\r\n<!DOCTYPE html><html>", .webPage),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", .encoded),
    ]
    for (text, problem) in texts {
      try check(Array(text.utf8), frames: 0) { status in
        switch status {
        case .stopped(let found): found == problem && problem.isFinal
        case .pausing(let found, _): found == problem && !problem.isFinal
        case .idle, .waitingForPosition, .connecting, .waiting, .streaming: false
        }
      }
    }
    try check(Array("ERROR - Bad Password".utf8), frames: 0, closes: true) { $0 == .stopped(.unauthorized(401)) }
    try check(Array("ERROR - Busy".utf8), frames: 0, closes: true, isPausing(after: .error("Busy")))
    try check(Array("HTTP/1.1 200 OK\r\nServer".utf8), frames: 0, closes: true, isPausing(after: .noAnswer))
  }

  /// A caster answers a wrong mount point with its list, marked in different ways or not at all.
  @Test func wrongMount() throws {
    let chunkedTable = Transcript.chunk(Array(SourceTableTests.table.utf8)) + Array("0\r\n\r\n".utf8)
    let answers: [[UInt8]] = [
      Array("SOURCETABLE 200 OK\r\nServer: x\r\n\r\n\(SourceTableTests.table)".utf8),
      Array("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n\(SourceTableTests.table)".utf8),
      Array("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        + chunkedTable,
      Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n\(SourceTableTests.table)".utf8),
      Array("ICY 200 OK\r\n\r\n\(SourceTableTests.table)".utf8),
    ]
    for answer in answers {
      try check(answer, frames: 0) { status in
        guard case .stopped(.noSuchMount(let proposals)) = status else { return false }
        // At the place of the first row, about a kilometer per hundredth of a degree.
        return proposals.map(\.name) == ["MUC1", "BER1", "NOWHERE", "RAW"]
          && (proposals.first?.distance).map { $0.value < 10_000 } == true
      }
    }
    // Cut off by the end of the connection.
    try check(Array("SOURCETABLE 200 OK\r\n\r\nSTR;MUC1;;;;;;;;48;11".utf8), frames: 0, closes: true) {
      if case .stopped(.noSuchMount(let proposals)) = $0 { proposals.map(\.name) == ["MUC1"] } else { false }
    }
    let listed = SourceTableTests.table.replacing("STR;BER1", with: "STR;MUC2")
    try check(Array("SOURCETABLE 200 OK\r\n\r\n\(listed)".utf8), frames: 0, isPausing(after: .mountOffline))
  }

  /// Bytes without corrections, and a head without an end.
  @Test func noise() throws {
    var session = try asked()
    let (head, frame) = (Transcript.version2, Transcript.frame)
    _ = session.receive(head.span, at: start)
    let noise = Array(repeating: UInt8(ascii: "x"), count: 8192)
    for _ in 0..<8 { _ = session.receive(noise.span, at: start) }
    #expect(session.status == .waiting)
    let actions = session.receive([UInt8(0)].span, at: start)
    #expect(actions.contains(.close))
    #expect(isPausing(after: .noCorrections)(session.status))
    // What arrives late has no effect.
    let late = session.receive(frame.span, at: start) + session.handle(.closed, at: start)
    #expect(late.isEmpty)

    var endless = try asked()
    let header = Array("HTTP/1.1 200 OK\r\nName: value\r\n".utf8)
    _ = endless.receive(header.span, at: start)
    for _ in 0..<1000 { _ = endless.receive(Array("Name: value\r\n".utf8).span, at: start) }
    #expect(isPausing(after: .notACaster)(endless.status))
  }

  @Test func problemsHaveSentences() {
    let problems: [NTRIPProblem] = [
      .connection(.noSuchHost), .connection(.unreachable), .connection(.notTrusted), .connection(.tooLate),
      .connection(.closed), .connection(.silent), .noAnswer, .lateAnswer, .notACaster, .webPage, .redirected(301),
      .unauthorized(401), .noSuchMount([]), .noSuchMount([.init(name: "A", distance: nil)]), .mountOffline,
      .refused(429),
      .refused(503), .error("x"), .encoded, .badChunks, .noCorrections, .silent,
    ]
    #expect(Set(problems.map(\.sentence)).count == problems.count - 1)
    #expect(problems.allSatisfy { $0.sentence.contains(":") && !$0.sentence.hasSuffix(".") })
    #expect(problems.allSatisfy { $0.sentenceOfClient.contains("not tried again") == $0.isFinal })
  }
}
