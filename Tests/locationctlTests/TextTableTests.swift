import Testing
import locationctl

@Suite struct TextTableTests {
  private let rows: [[StyledText]] = [
    ["LOG", "STATE", "SIZE", "RECORDS"],
    ["drive", .good("recording"), "256 kB", "every fix while moving, keeps 30 days, also suspect fixes"],
    ["a", "stopped", "9 B", "-"],
  ]

  private func look(_ width: Int?, usesColor: Bool = false) -> Presentation {
    Presentation(usesColor: usesColor, usesUnicode: true, width: width, showsLocalTime: false)
  }

  private func text(width: Int?) -> String {
    String(decoding: TextTable.aligned(rows, look(width), rightAligned: [2]), as: UTF8.self)
  }

  @Test func withoutATerminalNothingIsBroken() {
    let whole = """
      LOG    STATE        SIZE  RECORDS
      drive  recording  256 kB  every fix while moving, keeps 30 days, also suspect fixes
      a      stopped       9 B  -

      """
    #expect(text(width: nil) == whole)
    #expect(text(width: 83) == whole)
  }

  /// A column that does not fit stands below its row, after its name; a cell that says nothing is left out.
  @Test func whatDoesNotFitGoesToASecondLine() {
    #expect(
      text(width: 60) == """
        LOG    STATE        SIZE
        drive  recording  256 kB
            records every fix while moving, keeps 30 days, also
            suspect fixes
        a      stopped       9 B

        """)
  }

  @Test(arguments: [20, 40, 60, 80]) func noLineIsWiderThanTheTerminal(width: Int) {
    let lines = text(width: width).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    #expect(lines.joined(separator: " ").contains("suspect"))
  }

  /// Names from outside may have wide characters, characters without a width, and any length.
  @Test(arguments: ["東京への旅行の記録である長い名前", String(repeating: "x", count: 90), "e\u{301}a\u{308}"], [30, 60])
  func foreignNamesFitToo(name: String, width: Int) {
    let lines = TextTable.lines([["REGION", "WHERE"], [StyledText(name), StyledText(name)]], look(width))
    #expect(lines.allSatisfy { $0.width <= width }, "\(lines)")
  }

  @Test func aWordThatIsTooLongIsBroken() {
    let lines = TextTable.wrapped("a \(String(repeating: "x", count: 25)) b", within: 10)
    #expect(lines.map(\.text) == ["a", "xxxxxxxxxx", "xxxxxxxxxx", "xxxxx b"])
  }

  @Test func colorsDoNotShiftColumns() {
    let colored = String(
      decoding: TextTable.aligned(rows, look(nil, usesColor: true), rightAligned: [2]), as: UTF8.self)
    #expect(colored.contains("\u{1B}[0;32mrecording\u{1B}[0m  256 kB"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text(width: nil))
  }
}

@Suite struct ColorModeTests {
  private func usesColor(
    _ mode: ColorMode, isTerminal: Bool = true, isPlain: Bool = false, _ environment: [String: String]
  ) -> Bool {
    mode.usesColor(isTerminal: isTerminal, isPlain: isPlain) { environment[$0] }
  }

  private let terminal = ["TERM": "xterm"]

  @Test func aTerminalHasColorsAndAPipeHasNone() {
    #expect(usesColor(.auto, terminal))
    #expect(!usesColor(.auto, isTerminal: false, terminal))
    #expect(!usesColor(.auto, [:]))
  }

  @Test func theOptionTakesPrecedenceOverTheEnvironment() {
    #expect(usesColor(.always, isTerminal: false, ["NO_COLOR": "1"]))
    #expect(!usesColor(.never, ["TERM": "xterm", "CLICOLOR_FORCE": "1"]))
  }

  @Test func theEnvironmentDecidesOtherwise() {
    #expect(!usesColor(.auto, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(usesColor(.auto, ["TERM": "xterm", "NO_COLOR": ""]))
    #expect(usesColor(.auto, isTerminal: false, ["CLICOLOR_FORCE": "1"]))
    #expect(!usesColor(.auto, isTerminal: false, ["CLICOLOR_FORCE": "0"]))
    #expect(!usesColor(.auto, ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"]))
  }

  @Test(arguments: ColorMode.allCases) func plainOutputHasNone(mode: ColorMode) {
    #expect(!usesColor(mode, isPlain: true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"]))
  }
}
