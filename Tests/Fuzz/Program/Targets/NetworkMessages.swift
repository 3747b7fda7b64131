import NetworkSources

/// Any bytes as messages between the service and the network helper: however they are cut, the same messages come out, and each is
/// written as it was read. Orders and addresses that are read are written so that they are read again.
func checkNetworkMessages(_ bytes: [UInt8]) {
  let whole = MessageReading(bytes, pieces: [bytes.count])
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == MessageReading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == MessageReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  let written = whole.messages.flatMap(\.bytes)
  let again = MessageReading(written, pieces: [written.count])
  precondition(again.messages.flatMap(\.bytes) == written && !again.isRefused, "written differently")

  let text = String(decoding: bytes, as: UTF8.self)
  if let order = NetworkOrder(text) { precondition(NetworkOrder(order.text)?.text == order.text, "order") }
  do throws(NetworkSourceError) {
    let source = try NetworkSource(parsing: text)
    precondition(!source.text.isEmpty)
  } catch {
    precondition(!error.sentence.isEmpty)
  }
  if let memory = NTRIPMemory(text) { precondition(NTRIPMemory(memory.text) == memory, "memory") }
  do throws(CasterConfiguration.Problem) {
    _ = try CasterConfiguration(parsing: bytes)
  } catch {
    precondition(!error.sentence.isEmpty)
  }
}

private struct MessageReading: Equatable {
  var messages: [NetworkMessage] = []
  var isRefused = false

  init(_ bytes: [UInt8], pieces: [Int]) {
    var reader = NetworkMessageReader()
    forEachPiece(of: bytes, pieces: pieces) { range in messages += reader.push(bytes[range]) }
    isRefused = reader.isMalformed
  }
}
