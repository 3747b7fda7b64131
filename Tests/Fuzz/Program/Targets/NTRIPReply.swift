import Geodesy
import NetworkSources

/// Any bytes as the answer of a caster: however they are cut, a session passes the same frames and ends in the same state, and it
/// passes only frames with a correct CRC.
func checkNTRIPReply(_ bytes: [UInt8]) {
  let whole = SessionReading(bytes, pieces: [bytes.count])
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == SessionReading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == SessionReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  for frame in whole.frames { precondition(RTCMFrame(frame.bytes) == frame, "no frame") }
  if case .stopped(let problem) = whole.status { precondition(problem.isFinal && !problem.sentence.isEmpty) }
  if case .pausing(let problem, _) = whole.status { precondition(problem?.isFinal == false) }

  var list = MountListReader()
  do throws(NTRIPProblem) {
    if try !list.receive(bytes.span) { try list.close() }
  } catch {
    precondition(!error.sentence.isEmpty)
  }
}

/// The result of a connection that ends after these bytes.
private struct SessionReading: Equatable {
  var frames: [RTCMFrame] = []
  var closes = 0
  var status: NTRIPStatus

  init(_ bytes: [UInt8], pieces: [Int]) {
    guard let address = try? CasterAddress(parsing: "ntrip://caster.example.org:2101/MOUNT") else {
      fatalError("no address")
    }
    let now = Instant(nanoseconds: 0)
    var session = NTRIPSession(CasterConfiguration(address: address), release: "1", at: now, seed: 1)
    status = .idle
    _ = session.handle(.start, at: now)
    _ = session.handle(.connected, at: now)
    forEachPiece(of: bytes, pieces: pieces) { range in
      for action in session.receive(bytes.span.extracting(range), at: now) {
        switch action {
        case .pass(let frame): frames.append(frame)
        case .close: closes += 1
        case .connect, .send, .store, .report: break
        }
      }
    }
    precondition(closes <= 1, "closed twice")
    if closes == 0 { _ = session.handle(.closed, at: now) }
    status = session.status
  }
}

/// Cuts bytes into pieces of the given lengths, which repeat.
func forEachPiece(of bytes: [UInt8], pieces: [Int], _ body: (Range<Int>) -> Void) {
  var start = 0
  var index = 0
  while start < bytes.count {
    // Every eighth piece has at least one byte, so that the loop ends.
    let length = pieces.isEmpty ? bytes.count : max(pieces[index % pieces.count], index % 8 == 0 ? 1 : 0)
    let end = min(start + length, bytes.count)
    body(start..<end)
    start = end
    index += 1
  }
}
