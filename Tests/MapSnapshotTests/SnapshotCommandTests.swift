import Foundation
import TerminalPicture
import Testing

/// `locationctl map --snapshot` and `--terminal` without a service: files that are drawn, and files that are not.
@Suite struct SnapshotCommandTests {
  private static let gpx = Data(
    """
    <gpx version="1.1" creator="test"><wpt lat="47.145" lon="9.52"><name>Vaduz</name></wpt><trk><trkseg>
    <trkpt lat="47.14" lon="9.51"><time>2026-11-01T12:00:00Z</time></trkpt>
    <trkpt lat="47.15" lon="9.52"><time>2026-11-01T12:01:00Z</time></trkpt>
    <trkpt lat="47.16" lon="9.54"><time>2026-11-01T12:02:30Z</time></trkpt></trkseg></trk></gpx>
    """.utf8)

  @Test(arguments: ["map.png", "map.svg", "map.PNG"]) func aTrackIsDrawn(name: String) throws {
    let run = try ToolRun.map(["--snapshot", name, "--overlay", "a.gpx"], files: ["a.gpx": Self.gpx], result: name)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let bytes = try #require(run.result)
    let isPNG = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
    #expect(isPNG == (name.lowercased().hasSuffix("png")))
    if !isPNG { #expect(bytes.starts(with: Data("<?xml".utf8))) }
  }

  @Test func aPictureIsReplacedOnlyOnRequest() throws {
    let files = ["a.gpx": Self.gpx, "map.png": Data("before".utf8)]
    let refused = try ToolRun.map(["--snapshot", "map.png", "--overlay", "a.gpx"], files: files, result: "map.png")
    #expect(refused.status == 73 && refused.errors.contains("--force"), "\(refused.errors)")
    #expect(refused.result == Data("before".utf8))
    let forced = try ToolRun.map(
      ["--snapshot", "map.png", "--overlay", "a.gpx", "--force"], files: files, result: "map.png")
    #expect(forced.status == 0 && forced.result?.starts(with: [0x89]) == true, "\(forced.errors)")
  }

  @Test(arguments: [
    ["--snapshot", "map.gif"], ["--snapshot", "map.png", "--terminal"], ["--snapshot", "map.png", "--size", "5000x10"],
    ["--snapshot", "map.png", "--size", "512"], ["--snapshot", "map.png", "--size", "4096x4096", "--scale", "2"],
    ["--snapshot", "map.png", "--style", "pink"], ["--snapshot", "map.png", "--graphics", "sixel"],
    ["--terminal", "--size", "100x100"], ["--overlay", "a.gpx"], ["--here"], ["--snapshot", "map.png", "--port", "80"],
    ["--snapshot", "map.png", "--from", "today"],
  ]) func wrongArgumentsGiveOneError(arguments: [String]) throws {
    let run = try ToolRun.map(arguments, files: ["a.gpx": Self.gpx], result: "map.png")
    #expect(run.status == 64 && run.result == nil, "\(run.errors)")
    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("Error:") || $0.hasPrefix("locationctl:") }.count == 1,
      "\(run.errors)")
  }

  @Test func withoutAServiceThereIsNoPosition() throws {
    let run = try ToolRun.map(["--snapshot", "map.png"], result: "map.png")
    #expect(run.status == 69 && run.result == nil)
    #expect(run.errors == "locationctl: locationd is not running: start it with 'sudo systemctl start locationd'.\n")
  }

  /// Files of others: one line on standard error, no picture, and no escape sequence.
  @Test(arguments: [
    ("", "neither"), ("\u{1B}[31m", "not valid"), ("<gpx><trk>", "truncated"), ("{\"a\":", "truncated"),
    ("<svg/>", "'svg'"),
    ("<gpx/>", "nothing"), ("{}", "nothing"), ("<\u{1B}[31mx/>", "not"),
    ("<!DOCTYPE gpx [<!ENTITY a SYSTEM \"/etc/passwd\">]><gpx>&a;</gpx>", "document type"),
    ("PK\u{3}\u{4}", "compressed"), (String(repeating: "[", count: 1_000_000), "not valid"),
    ("{\"type\":\"Point\",\"coordinates\":[1e400,5]}", "nothing"),
  ]) func aHostileFileGivesOneMessage(content: String, reason: String) throws {
    let run = try ToolRun.map(
      ["--snapshot", "map.png", "--overlay", "bad"], files: ["bad": Data(content.utf8)], result: "map.png")
    #expect(run.status == 65 && run.result == nil, "\(run.errors)")
    #expect(run.errors.hasPrefix("locationctl: bad cannot be shown: ") && run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1 && !run.errors.contains("\u{1B}"))
  }

  @Test func aMissingFileGivesOneMessage() throws {
    let run = try ToolRun.map(["--snapshot", "map.png", "--overlay", "none.gpx"], result: "map.png")
    #expect(run.status == 65 && run.errors == "locationctl: none.gpx cannot be shown: there is no such file.\n")
  }

  @Test(.enabled(if: TerminalPicture.isPossible, "needs libchafa0"))
  func aPipeGetsSymbolsWithTheTimesOfTheTrack() throws {
    let run = try ToolRun.map(["--terminal", "--overlay", "a.gpx"], files: ["a.gpx": Self.gpx])
    #expect(run.status == 0, "\(run.errors)")
    let output = String(decoding: run.output, as: UTF8.self)
    #expect(output.contains("\u{1B}[38;2;") || output.contains("\u{1B}[48;2;") || output.contains(";48;2;"))
    #expect(output.contains("2026-11-01 13:00 – 13:02 CET"), "\(output.suffix(300))")
    let kitty = try ToolRun.map(
      ["--terminal", "--graphics", "kitty", "--overlay", "a.gpx"], files: ["a.gpx": Self.gpx])
    #expect(String(decoding: kitty.output, as: UTF8.self).contains("\u{1B}_G"))
  }

  /// A name in a file must not reach the terminal as it is.
  @Test(.enabled(if: TerminalPicture.isPossible, "needs libchafa0"))
  func aNameCannotControlTheTerminal() throws {
    let run = try ToolRun.map(
      ["--terminal", "--overlay", "a\u{1B}]0;x\u{7}.gpx"], files: ["a\u{1B}]0;x\u{7}.gpx": Self.gpx])
    #expect(run.status == 0, "\(run.errors)")
    #expect(!String(decoding: run.output, as: UTF8.self).contains("\u{1B}]0;"))
  }
}
