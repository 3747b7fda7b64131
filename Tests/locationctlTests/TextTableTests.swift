import Testing
import locationctl

@Suite struct TextTableTests {
  private let rows = [
    ["LOG", "STATE", "SIZE", "RECORDS"],
    ["drive", "recorded", "256 kB", "every fix while moving, keeps 30 days, also suspect fixes"],
  ]

  private func text(width: Int?) -> String { String(decoding: TextTable.aligned(rows, width: width), as: UTF8.self) }

  @Test func withoutATerminalNothingIsBroken() {
    let whole = """
      LOG    STATE     SIZE    RECORDS
      drive  recorded  256 kB  every fix while moving, keeps 30 days, also suspect fixes

      """
    #expect(text(width: nil) == whole)
    #expect(text(width: 82) == whole)
  }

  @Test func whatDoesNotFitGoesToASecondLine() {
    #expect(
      text(width: 60) == """
        LOG    STATE     SIZE
            RECORDS
        drive  recorded  256 kB
            every fix while moving, keeps 30 days, also suspect
            fixes

        """)
  }

  @Test(arguments: [1, 20, 40, 60, 80]) func noLineIsWiderThanTheTerminal(width: Int) {
    let lines = text(width: width).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= max(width, 24) }, "\(lines)")
    #expect(lines.joined(separator: " ").contains("suspect"))
  }
}
