import Geodesy
import Testing
import TrackFormats
import locationctl

@Suite struct OutputTemplateTests {
  @Test(arguments: [
    ("%{latitude} %{longitude}", "48.1173000 11.516666667\n"), ("%{fix}\\n", "3d\n"), ("a\\tb%%", "a\tb%\n"),
    ("%%{latitude}", "%{latitude}\n"), ("[%{floor}|%{cached}|%{suspect}]", "[||]\n"), ("", "\n"),
    ("\\\\n \\x \\", "\\n \\x \\\n"), ("%{technologies}", "gnss,wifi\n"), ("%{timeConfirmed}", "true\n"),
    ("%{receiver}", "u-blox 8 \"x\"\n"), ("ü%{satellitesUsed}ü", "ü9ü\n"),
  ]) func fills(template: String, expected: String) throws {
    #expect(text(try OutputTemplate(parsing: template).line(SampleFix.full)) == expected)
  }

  @Test(arguments: [
    ("%{lat}", TemplateError.unknownKey("lat")), ("%{}", .unknownKey("")), ("%{Latitude}", .unknownKey("Latitude")),
    ("%{latitude", .unclosedKey("latitude")), ("%", .barePercent), ("100% sure", .barePercent), ("%d", .barePercent),
  ]) func refuses(template: String, error: TemplateError) {
    #expect(throws: error) { try OutputTemplate(parsing: template) }
  }

  @Test func refusesWhatIsTooLong() {
    let longest = String(repeating: "a", count: TemplateError.maximumBytes)
    #expect(throws: TemplateError.tooLong) { try OutputTemplate(parsing: longest + "a") }
    #expect(throws: Never.self) { try OutputTemplate(parsing: longest) }
  }

  @Test func everyKeyOfTheContractMayStand() throws {
    let all = FixKey.allCases.map { "%{\($0.rawValue)}" }.joined(separator: " ")
    let line = text(try OutputTemplate(parsing: all).line(SampleFix.full))
    #expect(line.split(separator: " ", omittingEmptySubsequences: false).count >= FixKey.allCases.count)
    #expect(!line.contains("%"))
  }

  @Test func anUnknownKeyNamesTheKnownOnes() {
    let words = TemplateError.unknownKey("\u{1B}x").description
    #expect(words.contains("'\u{FFFD}x'"))
    #expect(words.contains("ellipsoidalAltitude"))
  }

  @Test func aDeviceCannotAddALine() throws {
    let located = SampleFix.with { $0.device = "a\nb\u{1B}" }
    #expect(text(try OutputTemplate(parsing: "%{device}").line(located)) == "a\u{FFFD}b\u{FFFD}\n")
  }
}
