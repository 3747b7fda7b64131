import LinuxDevices
import TestSupport
import Testing

/// Lines of JSON, and the bytes after the last of them.
@Suite struct GPSDLinesTests {
  private func lines(_ pieces: [[UInt8]]) -> (lines: [String], overlong: Int) {
    var cutter = GPSDLines()
    var found: [String] = []
    for piece in pieces {
      let taken = cutter.receive(piece[...]) { line in
        found.append(String(decoding: line, as: UTF8.self))
        return true
      }
      #expect(taken == piece.count)
    }
    return (found, cutter.overlong)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func cutsDoNotMatter(seed: UInt64) {
    let text = Array("{\"class\":\"VERSION\"}\r\n\r\n{\"class\":\"DEVICES\"}\n{\"class\":\"WATCH\"}\r\n".utf8)
    var random = SplitMix64(seed: seed)
    var pieces: [[UInt8]] = []
    var rest = text[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...12, using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(lines(pieces).lines == ["{\"class\":\"VERSION\"}", "{\"class\":\"DEVICES\"}", "{\"class\":\"WATCH\"}"])
  }

  @Test func overlongLinesAreSkipped() {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 * GPSDLines.maximumLine)
    let (found, overlong) = lines([long, Array("\n{}\n".utf8)])
    #expect(found == ["{}"])
    #expect(overlong == 1)
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: GPSDLines.maximumLine)
    #expect(lines([longest + [0x0A]]).lines.first?.utf8.count == GPSDLines.maximumLine)
  }

  @Test func whatFollowsTheLastLineIsLeft() {
    var cutter = GPSDLines()
    let bytes = Array("{1}\n{2}\n".utf8) + [0xB5, 0x62, 0x0A]
    var found = 0
    let rest = cutter.receive(bytes[...]) { _ in
      found += 1
      return found < 2
    }
    #expect(Array(bytes[rest...]) == [0xB5, 0x62, 0x0A])
  }
}
