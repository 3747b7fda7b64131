import Foundation
import Geodesy
import Regions
import Testing
import TrackFormats
import locationctl

/// `distance`, `bearing` and `sort` as whole programs.
@Suite struct DistanceCommandTests {
  private func object(_ run: ProgramRun) throws -> [String: Any] {
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// New York to London, by GeographicLib's GeodSolve: 51.19888285° and 5551759.400 m.
  @Test(arguments: ["distance", "bearing"]) func betweenTwoPositions(command: String) throws {
    let answer = try object(try ProgramRun([command, "--from", "40.6,-73.8", "--to", "51°36'N 0°30'W"]))
    #expect(answer["distance"] as? Double == 5_551_759.4)
    #expect(answer["bearing"] as? Double == 51.2)
    #expect(answer["compassPoint"] as? String == "NE")
    #expect(answer["fromLongitude"] as? Double == -73.8)
    #expect(answer["toLatitude"] as? Double == 51.6)
    #expect(answer["schema"] as? Int == 1)
    #expect(Set(answer.keys).isSubset(of: Set(RelationKey.names + ["schema"])))
    // Nothing was measured, and no region named.
    for key in ["accuracy", "timestamp", "region", "inside", "borderDistance"] { #expect(answer[key] == nil) }
  }

  @Test(arguments: [
    (["distance"], "5552 km northeast (51°)\n"), (["bearing"], "51° northeast, 5552 km\n"),
  ]) func text(command: [String], expected: String) throws {
    let run = try ProgramRun(command + ["--text", "--from", "40.6,-73.8", "--to", "51.6,-0.5"])
    #expect(run.output == expected && run.errors == "" && run.status == 0)
  }

  @Test func samePositionHasNoDirection() throws {
    let run = try ProgramRun(["distance", "--text", "--from", "JO22ki", "--to", "JO22ki"])
    #expect(run.output == "0.0 m\n")
    let answer = try object(try ProgramRun(["bearing", "--from", "1,1", "--to", "1,1"]))
    #expect(answer["bearing"] == nil && answer["distance"] as? Double == 0)
  }

  @Test func templates() throws {
    let run = try ProgramRun(
      ["distance", "--from", "0,0", "--to", "0,-1", "--template", "%{bearing} %{compassPoint} [%{region}] %{distance}"])
    #expect(run.output == "270.00 W [] 111319.491\n")
    let bad = try ProgramRun(["distance", "--to", "1,1", "--template", "%{latitude}"])
    #expect(bad.status == 64 && bad.errors.contains("fromLatitude, "), "\(bad.errors)")
  }

  /// From the position of this machine: the radius of the fix is part of the answer.
  @Test func fromAFix() throws {
    let answer = try object(try ProgramRun(["distance", "--to", "0,0", "--source", "simulator"]))
    #expect((answer["accuracy"] as? Double ?? 0) > 0)
    #expect(answer["simulated"] as? Bool == true)
    #expect((answer["timestamp"] as? String)?.hasSuffix("Z") == true)
    let run = try ProgramRun(["bearing", "--to", "0,0", "--source", "simulator", "--text"])
    #expect(run.output.contains("; own position ±") && run.output.contains("; simulated\n"), "\(run.output)")
  }

  @Test(arguments: [
    ["distance"], ["distance", "--to", ""], ["distance", "--to", "1,1", "--from", "2,2", "--timeout", "3"],
    ["distance", "--to", "1,1", "--from", "2,2", "--source", "simulator"],
    ["bearing", "--to", "1,1", "--last", "--wait"],
    ["distance", "--to", "1,1", "--json", "--text"], ["distance", "--to", "1,1", "--json", "--template", "x"],
    ["sort", "x", "--nearest", "0"], ["sort", "x", "--template", "%{x}"], ["fix", "--coordinates", "utm:4"],
    ["fix", "--coordinates", "what3words"], ["fix", "--coordinates", ""], ["fix", "--coordinates", "mgrs,mgrs:3"],
    ["fix", "--coordinates", "mgrs", "--format", "gpx"], ["watch", "--coordinates", "mgrs", "--template", "x"],
    ["region", "add", "x", "--at", "91,0"], ["region", "add", "x", "--at", "9VFR+6V"],
  ]) func badUsage(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("locationctl: "))
  }

  /// Without a daemon there are no regions.
  @Test func aNameThatIsNoPosition() throws {
    let nowhere = ["LOCATIOND_SOCKET": "/nonexistent/socket"]
    let run = try ProgramRun(["distance", "--from", "1,1", "--to", "ho\u{1B}me"], environment: nowhere)
    #expect(run.status == 69 && run.output == "")
    #expect(
      run.errors.contains("'ho\u{FFFD}me' is not a position") && run.errors.contains("locationd"), "\(run.errors)")
  }

  /// `region:NAME` is no mistyped position.
  @Test func aMarkedRegionThatDoesNotExist() throws {
    let nowhere = ["LOCATIOND_SOCKET": "/nonexistent/socket"]
    let run = try ProgramRun(["distance", "--from", "1,1", "--to", "region:no"], environment: nowhere)
    #expect(run.status == 69 && run.errors.contains("The region 'no' cannot be found"), "\(run.errors)")
    #expect(!run.errors.contains("position, and") && !run.errors.contains("degrees"), "\(run.errors)")
  }

  // MARK: --coordinates

  @Test func notationsInTextAndJSON() throws {
    let simulated = ["fix", "--source", "simulator"]
    let answer = try object(
      try ProgramRun(simulated + ["--coordinates", "mgrs:4,dms,utm:1,maidenhead,pluscode:11,decimal"]))
    let place = Coordinate(
      latitude: Angle(degrees: try #require(answer["latitude"] as? Double)),
      longitude: Angle(degrees: try #require(answer["longitude"] as? Double)))
    #expect(answer["mgrs"] as? String == GridReference.text(place, digits: 4))
    #expect(answer["dms"] as? String == SexagesimalText.text(place))
    #expect(answer["utm"] as? String == GridCoordinate.text(place, decimals: 1))
    #expect(answer["maidenhead"] as? String == MaidenheadLocator.text(place))
    #expect(answer["plusCode"] as? String == PlusCode.text(place, digits: 11))
    #expect(answer["decimal"] == nil)
    // Without the option, none of them.
    let usual = try object(try ProgramRun(simulated))
    #expect(["mgrs", "dms", "utm", "maidenhead", "plusCode"].allSatisfy { usual[$0] == nil })

    let text = try ProgramRun(simulated + ["--text", "--coordinates", "mgrs"])
    #expect(text.output.hasPrefix("Position  3") && !text.output.contains("° N"), "\(text.output)")
    let watched = try ProgramRun(["watch", "-n", "1", "--source", "simulator", "--text", "--coordinates", "dms"])
    #expect(watched.output.contains("'") && watched.output.contains("\"E"), "\(watched.output)")
    let template = try ProgramRun(simulated + ["--template", "%{mgrs}|%{utm}|%{dms}|%{maidenhead}|%{plusCode}"])
    #expect(template.output.split(separator: "|").count == 5)
  }

  // MARK: sort

  private func sort(_ content: String, _ arguments: String...) throws -> ProgramRun {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try ProgramRun(["sort", file.path] + arguments)
  }

  private let csv =
    "name,lat,lon\nParis,48.8566,2.3522\nUtrecht,52.0907,5.1214\n\"Ro\u{1B}me, Italy\",41.9028,12.4964\n"

  @Test func theNearestIsFirst() throws {
    let run = try sort(csv, "--from", "52.3731,4.8922")
    let objects = try run.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(run.status == 0 && run.errors == "")
    #expect(objects.map { $0["name"] as? String } == ["Utrecht", "Paris", "Ro\u{1B}me, Italy"])
    #expect(objects.map { $0["compassPoint"] as? String } == ["SSE", "SSW", "SSE"])
    #expect(!run.output.contains("\u{1B}"))

    let text = try sort(csv, "--from", "52.3731,4.8922", "--text", "--nearest", "2")
    #expect(
      text.output == """
        DISTANCE  BEARING   POSITION          NAME
        35.1 km   153° SSE  52.09070,5.12140  Utrecht
        430 km    206° SSW  48.85660,2.35220  Paris

        """)
    #expect(!text.output.contains("Ro"))
    let template = try sort(csv, "--from", "52.3731,4.8922", "--template", "%{name}")
    #expect(template.output == "Utrecht\nParis\nRo\u{FFFD}me, Italy\n")
  }

  @Test func standardInput() throws {
    let run = try ProgramRun(
      [
        "-c", "printf '48,2,far\\n52,5\\n' | \"$0\" sort --from 52,5 --template '%{name} %{distance}'",
        ProgramRun.locationctl,
      ],
      of: "/bin/sh")
    #expect(run.output.split(separator: "\n").first == " 0.00")
    #expect(run.status == 0)
  }

  /// Any file that can be read: the pipe of a shell, standard input by its name.
  @Test(arguments: [
    ("/bin/bash", "\"$0\" sort <(printf '48,2,far\\n52,5,near\\n') --from 52,5 --template '%{name}'"),
    ("/bin/sh", "printf '48,2,far\\n52,5,near\\n' | \"$0\" sort /dev/stdin --from 52,5 --template '%{name}'"),
  ]) func pipes(shell: String, script: String) throws {
    let run = try ProgramRun(["-c", script, ProgramRun.locationctl], of: shell)
    #expect(run.output == "near\nfar\n" && run.status == 0, "\(run.errors)")
  }

  /// Bounded, whatever the file is; a folder is none.
  @Test(arguments: [("/dev/zero", "the file is too large"), ("/tmp", "it is a directory"), ("/no", "There is no file")])
  func whatIsNoListOfPlaces(path: String, message: String) throws {
    let run = try ProgramRun(["sort", path, "--from", "1,1"])
    #expect(run.status == 65 && run.errors.contains(message), "\(run.errors)")
  }

  @Test(arguments: [
    ("nothing here", "Line 1 of "), ("", "There are no places in "), ("<gpx></gpx>", "There are no places in "),
    ("<gpx><wpt lat=\"99\" lon=\"0\"/></gpx>", "cannot be read (a point without a position"),
    ("{\"type\":\"Point\"", "cannot be read (it is incomplete"),
  ]) func badFiles(content: String, message: String) throws {
    let run = try sort(content, "--from", "1,1")
    #expect(run.status == 65 && run.output == "")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!run.errors.contains("import") && !run.errors.contains("track"), "\(run.errors)")
  }
}

@Suite struct RelationTextTests {
  @Test(arguments: [
    (0.04, "0.0 m"), (9.94, "9.9 m"), (9.96, "10 m"), (999.4, "999 m"), (999.6, "1.00 km"), (1240, "1.24 km"),
    (9994, "9.99 km"), (9996, "10.0 km"), (99_940, "99.9 km"), (99_960, "100 km"), (20_003_931, "20004 km"),
  ]) func lengths(meters: Double, expected: String) {
    #expect(RelationText.length(Meters(meters)) == expected)
  }

  @Test(arguments: [
    (0.0, "N"), (11.2, "N"), (11.3, "NNE"), (22.5, "NNE"), (45, "NE"), (90, "E"), (180, "S"), (270, "W"),
    (348.7, "NNW"),
    (348.8, "N"), (359.99, "N"),
  ]) func compassPoints(degrees: Double, letters: String) {
    #expect(CompassPoint(Angle(degrees: degrees)).letters == letters)
  }

  @Test func regionsAndRemarks() throws {
    let center = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
    let here = Geodesic.direct(from: center, course: Angle(degrees: 180), distance: Meters(300)).coordinate
    let region = try Region(identifier: "home\u{1B}", shape: .circle(CircleShape(center: center, radius: Meters(100))))
    let relation = PlaceRelation(from: here, to: center, region: region)
    #expect(RelationText.distance(relation) == "300 m north (0°); outside home\u{FFFD}, 200 m from its border")
    let far = PlaceRelation(from: center, to: center, region: region, origin: SampleFix.with { $0.isSimulated = true })
    #expect(RelationText.bearing(far).hasPrefix("0.0 m; inside home\u{FFFD}, 100 m from its border; own position ±"))
    #expect(RelationText.bearing(far).hasSuffix("; simulated"))
  }
}
