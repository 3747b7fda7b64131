import Geodesy
import LocationIPC
import LocationPolicy

/// Any bytes as messages of a client and of the service: a message that is read and written again is read as the same; the
/// sessions on both sides end in the same state however the bytes were cut.
func checkMessages(_ bytes: [UInt8]) {
  checkClient(bytes)
  checkServer(bytes)
  let size = 1 + Int(bytes.first ?? 0) % 7
  precondition(serve(bytes, by: max(1, bytes.count)) == serve(bytes, by: size), "the service depends on chunking")
  precondition(ask(bytes, by: max(1, bytes.count)) == ask(bytes, by: size), "the client depends on chunking")
}

private func checkClient(_ bytes: [UInt8]) {
  guard let message = try? ClientMessage(bytes.span) else { return }
  let again = message.frame
  let repeated = try? ClientMessage(again.span.extracting(4..<again.count))
  precondition(repeated == message, "wrote something else than was read")
}

private func checkServer(_ bytes: [UInt8]) {
  guard let message = try? ServerMessage(bytes.span) else { return }
  let again = message.frame
  precondition(again.count - 4 <= MessageLimits.event, "wrote more than may be read")
  let repeated = try? ServerMessage(again.span.extracting(4..<again.count))
  precondition(repeated == message, "wrote something else than was read")
}

private let start = Instant(nanoseconds: 1_000_000_000_000)

private func pieces(_ bytes: [UInt8], by size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

/// The service's actions for a client that has sent its greeting.
private func serve(_ bytes: [UInt8], by size: Int) -> [ServerSession.Action] {
  var session = ServerSession(release: "1", at: start)
  _ = session.handle(.received(ClientMessage.hello(ClientHello(name: "fuzz")).frame), at: start)
  return pieces(bytes, by: size).flatMap { session.handle(.received($0), at: start) }
}

/// A client's actions, with two pending requests, for a service that has sent its greeting.
private func ask(_ bytes: [UInt8], by size: Int) -> [ClientSession.Action] {
  var session = ClientSession(ClientHello(name: "fuzz"), path: "/socket", seed: 1)
  _ = session.handle(.request(.startUpdates(RequestID(1), UpdateOptions())), at: start)
  _ = session.handle(.request(.locate(RequestID(2), OneShotOptions())), at: start)
  _ = session.handle(.connected, at: start)
  let hello = ServerMessage.hello(ServerHello(version: ProtocolVersion.current, release: "1", present: start))
  _ = session.handle(.received(hello.frame), at: start)
  return pieces(bytes, by: size).flatMap { session.handle(.received($0), at: start) }
}
