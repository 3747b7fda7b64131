import Testing
import locationctl

/// A slow reader of `nmea --pty` loses sentences, but never gets a part of one.
@Suite struct NMEASentenceTests {
  private let sentences = (0..<9).map { Array("$GPXYZ,\($0)*00\r\n".utf8) }

  /// What a reader gets of a buffer that has room for `room` bytes at each write.
  private func received(_ room: [Int]) -> String {
    var (writer, bytes) = (WholeSentences(), [UInt8]())
    var rooms = room[...]
    for sentence in sentences {
      var left = rooms.popFirst() ?? 1000
      writer.write(sentence) { part in
        let count = min(left, part.count)
        left -= count
        bytes += part.prefix(count)
        return count
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [[], [5], [5, 3], [0, 0, 5], [14, 14, 7, 0, 0, 20], [1, 1, 1, 1, 1, 1, 1, 1]])
  func everyLineIsWhole(room: [Int]) {
    let text = received(room)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let all = sentences.map { String(decoding: $0.dropLast(2), as: UTF8.self) }
    // The last line may be in the middle of its way.
    #expect(lines.dropLast().allSatisfy { all.contains(String($0)) }, "\(text)")
    if room.isEmpty { #expect(lines.count == 10) }
  }

  @Test func aSentenceThatFitsInPartIsCompletedAndTheNextIsDropped() {
    #expect(received([5, 3, 1000]) == "$GPXYZ,0*00\r\n" + (2..<9).map { "$GPXYZ,\($0)*00\r\n" }.joined())
  }

  @Test func anotherReaderGetsNoRest() {
    var (writer, bytes) = (WholeSentences(), [UInt8]())
    writer.write(sentences[0]) { _ in 5 }
    writer.forget()
    writer.write(sentences[1]) { part in
      bytes += part
      return part.count
    }
    #expect(bytes == sentences[1])
  }
}
