import LocationPolicy
import Testing

/// The text that a client supplies about itself is shown to a person, also on a terminal.
@Suite struct SanitizedTextTests {
  static let lines: [(String, String?)] = [
    ("Maps", "Maps"), ("", nil), ("  ", nil), ("\n\t", nil),
    ("Karten für Zürich", "Karten für Zürich"), ("天気 👩‍🚀", "天気 👩‍🚀"),
    ("a\u{1b}[31mred\u{7}\nb", "a[31mredb"), ("a\u{9b}31mb", "a31mb"), ("x\u{7f}y", "xy"),
    ("evil\u{202e}gpj.exe", "evilgpj.exe"), ("a\u{2028}b\u{2066}c\u{200f}d", "abcd"),
    ("Ma\u{200b}p\u{200c}s\u{200d}\u{2060}\u{feff}\u{ad}", "Maps"), ("\u{200b}\u{2060}\u{3164}", nil),
    ("Maps\u{e0001}\u{e0041}\u{e007f}\u{fe0f}\u{e0100}", "Maps"), ("1\u{200d}2", "12"), ("a\u{fff9}b", "ab"),
  ]

  @Test(arguments: lines.indices) func line(_ index: Int) {
    #expect(LocationUser(.bob, name: Self.lines[index].0).name == Self.lines[index].1)
  }

  @Test func isCutBetweenCharacters() {
    let text = String(repeating: "ü", count: 99) + "a" + "天"
    #expect(LocationUser(.bob, name: text).name == String(repeating: "ü", count: 99) + "a")
    #expect(LocationUser(.bob, name: String(repeating: "x", count: 5000)).name?.utf8.count == 200)
  }

  @Test func promptsShowOnlySanitizedText() throws {
    var script = DeskScript()
    var client = AuthorizationClient.of(.bob, .init(whenInUse: "a\u{1b}[2Jb"))
    client.name = "na\u{202e}me"
    _ = script.give(.arrived(.app, client))
    _ = script.give(.requestsWhenInUse(.app))
    let question = try #require(script.desk.pending.first)
    #expect(question.purpose == "a[2Jb")
    #expect(question.name == "name")
    var record = GrantRecord(.denied)
    record.name = "\u{1b}c"
    _ = script.give(.loaded([Grant(.maps, record)], isOn: true))
    #expect(script.record(.maps)?.name == "c")
  }
}
