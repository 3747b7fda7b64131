import MapSnapshot
import TerminalPicture
import Testing

/// What libchafa sends to a terminal.
@Suite(.enabled(if: TerminalPicture.isPossible, "needs libchafa0"))
struct TerminalPictureTests {
  /// The left half is red, the right half is blue.
  private let pixels = (0..<64).flatMap { _ in
    [[UInt8]](repeating: [0, 0, 255, 255], count: 32).flatMap(\.self)
      + [[UInt8]](repeating: [255, 0, 0, 255], count: 32).flatMap(\.self)
  }

  private func output(_ kind: TerminalPicture.Graphics, _ colors: TerminalPicture.Colors = .all) throws -> String {
    let bytes = TerminalPicture.bytes(
      of: pixels, width: 64, height: 64, columns: 8, rows: 4, cell: (8, 16), as: kind, colors)
    return String(decoding: try #require(bytes), as: UTF8.self)
  }

  /// Select Graphic Rendition 38 and 48 with a color of 24 bits (ITU-T T.416, section 13.1.8).
  @Test func symbolsHaveTheColorsOfThePicture() throws {
    let lines = try output(.symbols).split(separator: "\n")
    #expect(lines.count == 4)
    for line in lines {
      #expect(line.contains("8;2;255;0;0") || line.contains("8;2;254;0;0"), "\(line.debugDescription)")
      #expect(line.contains("8;2;0;0;255") || line.contains("8;2;0;0;254"), "\(line.debugDescription)")
    }
    #expect(try output(.symbols, .indexed256).contains("8;5;196"))
    #expect(try !output(.symbols, .indexed16).contains("8;5;"))
  }

  @Test func imagesAreInTheProtocolOfTheTerminal() throws {
    // A device control string of sixels (DEC STD 070, chapter 9), and an application program command of kitty.
    let sixels = try output(.sixel)
    #expect(sixels.contains("\u{1B}P") && sixels.contains("q") && sixels.contains("\u{1B}\\"))
    #expect(try output(.kitty).contains("\u{1B}_G"))
  }

  @Test func sizesThatDoNotMatchGiveNothing() {
    for (width, height, columns) in [(64, 63, 8), (0, 0, 8), (64, 64, 0), (64, 64, 100_000)] {
      #expect(
        TerminalPicture.bytes(
          of: pixels, width: width, height: height, columns: columns, rows: 4, cell: (8, 16), as: .symbols) == nil)
    }
  }
}
