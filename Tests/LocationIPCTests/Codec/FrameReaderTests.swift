import LocationIPC
import Testing
import TestSupport

/// Reads messages from a stream of bytes.
@Suite struct FrameReaderTests {
  @Test(arguments: [1, 2, 3, 5, 7, 64, 4096]) func theCutsOnTheWayDoNotMatter(size: Int) throws {
    var generator = MessageGenerator(seed: 4)
    let messages = (0..<50).map { _ in generator.serverMessage() }
    let bytes = messages.flatMap(\.frame)
    var reader = FrameReader(limit: MessageLimits.event)
    var read: [ServerMessage] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.push(bytes[start..<min(start + size, bytes.count)])
      while let payload = try reader.next() { read.append(try ServerMessage(payload.span)) }
    }
    #expect(read == messages)
    #expect(!reader.isWithinMessage)
  }

  @Test func aLengthBeyondTheBoundIsRefusedBeforeItsBytesCome() {
    var reader = FrameReader(limit: 16)
    reader.push([17, 0, 0, 0])
    #expect(throws: MessageError.oversize(limit: 16, found: 17)) { _ = try reader.next() }
    var empty = FrameReader(limit: 16)
    empty.push([0, 0, 0, 0])
    #expect(throws: MessageError.truncated(expected: 1, found: 0)) { _ = try empty.next() }
  }
}
