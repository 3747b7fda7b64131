import Foundation
import Testing

/// The built program as a script uses it: exit statuses, and what goes to stdout or stderr. No test here needs a receiver.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: ProgramRun.locationctl), "needs locationctl built beside the tests"
  ))
struct CommandLineTests {
  @Test func version() throws {
    let run = try ProgramRun(["--version"])
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    #expect(run.errors == "")
    #expect(try ProgramRun(["fix", "--version"]).output == run.output)
  }

  @Test func helpNamesWhatIsBuiltAndNothingElse() throws {
    let run = try ProgramRun(["--help"])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let groups = run.output.components(separatedBy: "SUBCOMMANDS:\n").dropFirst()
    let listed = groups.flatMap { group in
      group.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See") }
        .compactMap { $0.split(separator: " ").first.map { String($0) } }
    }
    #expect(
      listed == [
        "fix", "watch", "sky", "nmea", "distance", "bearing", "map", "sort", "places", "timezone", "devices",
        "status", "doctor",
        "selftest", "config", "wifi", "ntrip", "gpsd", "time", "log", "trips", "geotag", "region", "visits",
        "significant",
        "fleet", "grants", "grant", "revoke", "services", "agent", "capture", "replay", "simulate", "evaluate",
        "version",
      ])
  }

  @Test(arguments: [
    ["map", "--help"], ["fix", "--help"], ["watch", "--help"], ["sky", "--help"], ["doctor", "--help"],
    ["devices", "--help"],
    ["devices", "trust", "--help"], ["devices", "list", "--help"], ["status", "--help"], ["log", "--help"],
    ["log", "export", "--help"], ["log", "follow", "--help"], ["log", "note", "--help"], ["log", "rename", "--help"],
    ["trips", "--help"], ["trips", "export", "--help"],
    ["geotag", "--help"], ["grants", "--help"], ["grant", "--help"], ["revoke", "--help"], ["services", "--help"],
    ["agent", "--help"], ["region", "--help"], ["region", "add", "--help"], ["region", "import", "--help"],
    ["visits", "--help"], ["visits", "on", "--help"], ["significant", "--help"],
    ["replay", "--help"], ["capture", "--help"], ["simulate", "--help"], ["evaluate", "--help"],
    ["help", "fix"],
  ]) func helpOfEveryCommand(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: locationctl"))
    #expect(run.errors == "")
  }

  @Test func helpSaysWhatIsListed() throws {
    let help = try ProgramRun(["wifi", "learned", "--help"]).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("--list List the access points that this machine has learned"), "\(help)")
    #expect(help.contains("Imported and fetched access points are counted but not listed"), "\(help)")
  }

  @Test(arguments: [
    "Fix", "", "fixx", "stauts", "frobnicate",
  ]) func commandsThatAreNotBuiltAreBadUsage(command: String) throws {
    let run = try ProgramRun([command])
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.errors.contains("There is no command '\(command)'"))
  }

  @Test(arguments: [
    (["stauts"], "There is no command 'stauts': did you mean 'status'?\nSee 'locationctl --help'.\n"),
    (["help", "fixx"], "There is no command 'fixx': did you mean 'fix'?\nSee 'locationctl --help'.\n"),
    (
      ["log", "trips"],
      "There is no command 'log trips': did you mean 'locationctl trips'?\nSee 'locationctl log --help'.\n"
    ),
    (
      ["export"],
      "There is no command 'export': did you mean 'locationctl wifi export', 'locationctl log export' or 'locationctl trips export'?\n"
        + "See 'locationctl --help'.\n"
    ),
    (["log", "xport"], "There is no command 'log xport': did you mean 'log export'?\nSee 'locationctl log --help'.\n"),
    (
      ["fix", "--timout", "5"], "Unknown option '--timout'. Did you mean '--timeout'?\nSee 'locationctl fix --help'.\n"
    ),
    (
      ["sort", "x", "--nearest", "-1"],
      "The value '-1' is invalid for '--nearest <number>': Use a whole number from 1 to 1000000000.\n"
        + "See 'locationctl sort --help'.\n"
    ),
    (
      ["watch", "-n", "-1"],
      "The value '-1' is invalid for '-n <number>': Use a whole number from 1 to 1000000000.\n"
        + "See 'locationctl watch --help'.\n"
    ),
    (
      ["nmea", "--color", "never"],
      "Unknown option '--color'. Did you mean '--count'?\nSee 'locationctl nmea --help'.\n"
    ),
    (
      ["log", "export", "--from", "tomorrow"],
      "'tomorrow' is not a time: use a value such as 2026-03-01, 2026-03-01T12:30Z, 19:00, yesterday or -2h.\n"
        + "See 'locationctl log export --help'.\n"
    ),
    (
      ["log", "export", "-o", "a.kml", "--format", "gpx"],
      "The suffix of a.kml is that of kml, but --format is gpx: use only one of them.\nSee 'locationctl log export --help'.\n"
    ),
    (
      ["fix", "-f", "banana"],
      "Please provide one of 'json', 'text', 'nmea', 'gpx', 'geojson', 'kml', 'csv', 'geo' or 'shell'.\n"
        + "See 'locationctl fix --help'.\n"
    ),
    (
      ["log", "export", "-o", "walk.txt"],
      "'.txt' is not the suffix of a format: use .gpx, .kml, .geojson, .csv or .nmea, or choose with --format.\n"
        + "See 'locationctl log export --help'.\n"
    ),
    (
      ["region", "add", "home", "--center", "47.3,8.5"],
      "Unknown option '--center'. Did you mean '--on-enter'?\nSee 'locationctl region add --help'.\n"
    ),
    (
      ["region", "add", "home", "47.3,8.5"],
      "The argument '47.3,8.5' is not understood: for the center of a circle, use --at 47.3,8.5.\n"
        + "See 'locationctl region add --help'.\n"
    ),
    (
      ["region", "add", "home"],
      "Use one of --at LAT,LON, --address TEXT, --area TOWN, --here and --polygon CORNERS.\nSee 'locationctl region add --help'.\n"
    ),
    (
      ["fix", "--timeout", "-1"],
      "Use a time above 0 and at most 7d, such as 90, 30s, 2m or 1h30m.\nSee 'locationctl fix --help'.\n"
    ),
  ])
  /// The suffix of a file and a format that disagree (B11), options and commands that do not exist (B13), the help of the command that
  /// was typed (B14), values with a minus sign (B15), and commands of other groups.
  func aMistypedWordIsAnsweredWithWhatWasMeant(arguments: [String], answer: String) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.errors.hasSuffix(answer), "\(run.errors)")
  }

  @Test func aloneItPrintsItsHelp() throws {
    let run = try ProgramRun([])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output == (try ProgramRun(["--help"]).output))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func theVersionIsACommandToo() throws {
    #expect(try ProgramRun(["version"]).output == (try ProgramRun(["--version"]).output))
  }

  @Test(arguments: [
    ["fix", "-j", "-t"], ["fix", "-j", "-f", "gpx"], ["status", "-j", "-t"], ["doctor", "--json", "--text"],
    ["sky", "-j", "--format", "text"],
  ]) func twoFormatsAreBadUsage(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 64)
    #expect(run.errors.contains("Use either") || run.errors.contains("Use only one of"), "\(run.errors)")
  }

  @Test(arguments: [["region", "remove", "--all"], ["wifi", "forget", "learned"]])
  func nothingIsDeletedWithoutAskingOrForce(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.errors.contains("Nothing was deleted") && run.errors.contains("--force"), "\(run.errors)")
  }

  @Test(arguments: [
    ["--bogus"], ["fix", "extra"], ["grant"],
    ["revoke", "root", "--restrict", "--forget"], ["services", "perhaps"], ["agent", "--notify", "--terminal"],
    ["fix", "--purpose", ""], ["watch", "--purpose", " "], ["sky", "--purpose", String(repeating: "x", count: 201)],
    ["devices", "extra"], ["devices", "--owner", "gpsd"], ["devices", "--owner", "me", "/dev/ttyACM0"],
    ["fix", "--bogus"], ["fix", "--accuracy"], ["fix", "--accuracy", "0"],
    ["fix", "--accuracy", "-3"], ["fix", "--accuracy=-3"], ["fix", "--accuracy", "nan"], ["fix", "--accuracy", "1e7"],
    ["fix", "--timeout", "0"], ["fix", "--timeout", "inf"], ["fix", "--timeout", "1e9"], ["fix", "--timeout", "1 s"],
    ["fix", "--max-age=-1"], ["fix", "--max-age", "1e300"], ["fix", "--format", "xml"], ["fix", "--format", "JSON"],
    ["fix", "--format", "json", "--template", "x"], ["fix", "--template", "%{lat}"], ["fix", "--template", "50%"],
    ["fix", "--source", "gpsd:"], ["fix", "--source", "gpsd:localhost:99999"], ["fix", "--source", "wifi:"],
    ["wifi", "import"], ["wifi", "export"], ["wifi", "export", "a", "--budget", "0"], ["wifi", "forget"],
    ["wifi", "forget", "all"], ["wifi", "learned", "extra"],
    ["fix", "--source", "serial"], ["fix", "--source", "serial:"], ["fix", "--source", "serial:@9600"],
    ["fix", "--source", "serial:/dev/ttyUSB0@fast"], ["fix", "--source", "serial:/dev/ttyUSB0@0"],
    ["fix", "--source", "replay:"], ["fix", "--source", "auto:x"], ["fix", "--source", ""],
    ["watch", "--count", "0"], ["watch", "--count", "1.5"], ["watch", "--count", "99999999999999999999"],
    ["watch", "--duration", "0"], ["watch", "--distance-filter", "nan"], ["watch", "--activity", "sleeping"],
    ["watch", "--rate", "0"], ["watch", "--rate", "26"], ["devices", "--listen=-1"],
    ["watch", "--timeout", "5"], ["devices", "bogus"], ["devices", "trust"], ["devices", "forget"],
    ["devices", "trust", "a", "b"], ["replay"], ["replay", "a", "b"], ["replay", "a", "--source", "auto"],
    ["capture"], ["capture", "a", "b"], ["capture", "a", "--keep-sky"], ["capture", "a", "--keep-unknown"],
    ["capture", "a", "--size-limit", "5"], ["capture", "a", "--size-limit", "1T"],
    ["capture", "a", "--size-limit=-5k"],
    ["capture", "a", "--duration", "0"], ["capture", "a", "b", "c", "--scrub"],
    ["capture", "a", "b", "--scrub", "--duration", "3"], ["capture", "a", "--source", "wifi:x"],
  ]) func badUsageIsOneSentenceAndAHint(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 64)
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines.last == "", "\(run.errors)")
    #expect(
      lines.first?.hasPrefix("locationctl: ") == true && lines.first?.last.map(".?".contains) == true, "\(run.errors)")
    #expect(lines.dropFirst().first?.hasPrefix("See 'locationctl") == true, "\(run.errors)")
  }

  @Test func anUnknownTemplateKeyNamesTheKnownOnes() throws {
    let run = try ProgramRun(["fix", "--template", "%{lat}"])
    #expect(run.errors.contains("timestamp, latitude, longitude"))
  }

  @Test func aBadSourceInTheEnvironmentIsBadUsage() throws {
    let run = try ProgramRun(["fix"], environment: ["LOCATIOND_SOURCE": "gpsd:"])
    #expect(run.status == 64)
    #expect(run.errors.contains("LOCATIOND_SOURCE"))
  }

  @Test func hostileArgumentsDoNotReachTheTerminal() throws {
    for arguments in [
      ["\u{1B}[2J"], ["fix", "--\u{1B}[2J"], ["fix", "--source", "\u{1B}[2J"], ["replay", "\u{1B}[2J"],
    ] {
      #expect(!(try ProgramRun(arguments).errors.contains("\u{1B}")))
    }
  }

  @Test(arguments: ["replay", "fix"]) func aRecordingThatIsInvalidIsBadInput(command: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var generator = SystemRandomNumberGenerator()
    let junk = folder.appendingPathComponent("junk")
    // Without the bytes that begin a frame or end a line, so that no part of the junk can be a message.
    try Data((0..<65_536).map { _ in UInt8.random(in: 0x60...0x7E, using: &generator) }).write(to: junk)
    let empty = folder.appendingPathComponent("empty")
    try Data().write(to: empty)
    for path in [folder.appendingPathComponent("missing").path, folder.path, junk.path, empty.path, "/dev/null"] {
      let run = try ProgramRun(command == "fix" ? ["fix", "--source", "replay:\(path)"] : ["replay", path])
      #expect(run.status == 65, "\(path): \(run.errors)")
      #expect(run.output == "")
      #expect(run.errors.split(separator: "\n").count == 1)
      #expect(run.errors.contains(path))
      if path == junk.path {
        #expect(run.errors.hasSuffix("(its format is unknown): use a capture, an NMEA log or a UBX log.\n"))
      }
    }
  }

  @Test func aFullDiskIsReportedAndAClosedPipeIsNot() throws {
    let full = try ProgramRun(
      ["-c", "\"$0\" --version > /dev/full", ProgramRun.locationctl], of: "/bin/sh")
    #expect(full.status == 73)
    #expect(full.errors.contains("no space left"))
    // The reader is gone before the program starts: the shell holds the FIFO open for reading only until it has opened it for
    // writing.
    let closed = try ProgramRun(
      [
        "-c", "f=$(mktemp -u); mkfifo $f; exec 3<>$f 4>$f 3<&-; rm $f; \"$0\" --help >&4; echo $?",
        ProgramRun.locationctl,
      ], of: "/bin/sh")
    #expect(closed.output == "0\n")
    #expect(closed.errors == "")
  }
}
