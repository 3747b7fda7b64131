import Foundation
import TestSupport
import Testing

/// `locationctl wifi` without a daemon, as an ordinary user runs it.
@Suite struct WiFiCommandTests {
  /// A state folder with files beside it.
  private struct Bench: ~Copyable {
    let folder: URL
    var state: String { folder.appendingPathComponent("state").path }

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ text: String) throws -> String {
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }

    func run(
      _ arguments: String..., state: String? = nil, environment: [String: String] = [:]
    ) throws -> ProgramRun {
      try ProgramRun(
        ["wifi"] + arguments,
        environment: [
          "LOCATIOND_STATE": state ?? self.state, "LOCATIOND_GPSD": "off", "LOCATIOND_SOCKET": "/nonexistent/socket",
        ].merging(environment) { $1 })
    }

    func counts(state: String? = nil) throws -> [String: Int] {
      let run = try run("learned", "--json", state: state)
      #expect(run.status == 0, "\(run.errors)")
      var counts = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Int])
      #expect(counts.removeValue(forKey: "schema") == 1)
      return counts
    }
  }

  private static let table = """
    bssid,latitude,longitude
    00:01:e3:0a:f6:33,46.005920,2.015615
    00:01:e3:6e:7b:05,46.002466,2.003705
    00:02:72:1b:9d:55,-46.010029,-179.999
    """

  /// The command reports which web services are used and what is wrong with their settings; wrong settings break nothing else.
  @Test func whatIsAskedOutside() throws {
    let bench = try Bench()
    #expect(
      try bench.run("learned", "--json").output == #"{"schema":1,"learned":0,"imported":0,"fetched":0,"tiles":0}"#
        + "\n")
    let right = try bench.run(
      "learned", "--json",
      environment: [
        "LOCATIOND_WIFI_PROVIDER": "https://user:word@example.org/v1/geolocate?key=secret",
        "LOCATIOND_WIFI_TILES": "/srv/tiles",
      ])
    #expect(right.output.contains(#""provider":"example.org""#) && right.output.contains(#""tileSource":"/srv/tiles""#))
    #expect(!right.output.contains("roblem") && !right.output.contains("secret") && !right.output.contains("word"))
    let wrong = try bench.run(
      "learned", "--json",
      environment: ["LOCATIOND_WIFI_PROVIDER": "file:///etc/passwd", "LOCATIOND_WIFI_TILES": "tiles"])
    #expect(wrong.status == 0 && wrong.output.contains("providerProblem") && wrong.output.contains("tileProblem"))
    #expect(try bench.run("forget", "fetched", "--force").status == 0)
  }

  @Test func importedPositionsAreKnown() throws {
    let bench = try Bench()
    #expect(try bench.counts() == ["learned": 0, "imported": 0, "fetched": 0, "tiles": 0])
    let run = try bench.run("import", bench.file("city.csv", Self.table))
    #expect(run.status == 0)
    #expect(run.errors == "locationctl: 3 access points imported.\n")
    #expect(try bench.counts() == ["learned": 0, "imported": 3, "fetched": 0, "tiles": 0])
    // A second import replaces each entry and duplicates none.
    _ = try bench.run("import", bench.file("city.csv", Self.table))
    #expect(try bench.counts() == ["learned": 0, "imported": 3, "fetched": 0, "tiles": 0])
    #expect(try bench.run("forget", "imported", "--force").status == 0)
    #expect(try bench.counts() == ["learned": 0, "imported": 0, "fetched": 0, "tiles": 0])
  }

  @Test func accessPointsThatOptOutAreSkipped() throws {
    let bench = try Bench()
    let text = """
      WigleWifi-1.6,appRelease=2.80,model=Pi,release=14,device=x,display=y,board=z,brand=b,star=Sol,body=3,subBody=0
      MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
      00:01:e3:0a:f6:33,home,[WPA2],2026-01-01 10:00:00,6,2437,-60,46.00592,2.015615,300,4.5,,,WIFI
      00:01:e3:0a:f6:34,home_nomap,[WPA2],2026-01-01 10:00:00,6,2437,-60,46.00592,2.015615,300,4.5,,,WIFI
      00:01:e3:0a:f6:35,my_OptOut_net,[WPA2],2026-01-01 10:00:00,6,2437,-60,46.00592,2.015615,300,4.5,,,WIFI
      00:01:e3:0a:f6:36,speaker,[],2026-01-01 10:00:00,0,,-60,46.00592,2.015615,300,4.5,,,BLE
      310410_7_3,mast,[],2026-01-01 10:00:00,0,,-60,46.00592,2.015615,300,4.5,,,LTE
      00:01:e3:0a:f6:37,"a, b",[WPA2],2026-01-01 10:00:00,6,2437,-60,46.00592,2.015615,300,4.5,,,WIFI
      00:01:e3:0a:f6:38,no fix,[WPA2],2026-01-01 10:00:00,6,2437,-60,0.0,0.0,0,0,,,WIFI
      00:01:e3:0a:f6:39,"torn,[WPA2],2026-01-01 10:00:00,6,2437,-60,46.00592,2.015615,300,4.5,,,WIFI
      """
    let path = try bench.file("wigle.csv", text)
    let run = try bench.run("import", path)
    #expect(run.status == 0)
    #expect(
      run.errors
        == "locationctl: \(path): 1 line is unreadable and was left out; the first is line 10.\n"
        + "locationctl: \(path): 5 rows left out: networks whose names contain _nomap or _optout, entries that are not "
        + "Wi-Fi, and entries without a position.\n" + "locationctl: 2 access points imported.\n")
    #expect(try bench.counts()["imported"] == 2)
  }

  @Test func tilesGoFromOneMachineToAnother() throws {
    let bench = try Bench()
    _ = try bench.run("import", bench.file("city.csv", Self.table))
    let tiles = bench.folder.appendingPathComponent("tiles").path
    let run = try bench.run("export", tiles)
    #expect(run.status == 0)
    #expect(run.errors.contains("3 of 3 access points written, in 2 tiles."), "\(run.errors)")
    let files = try #require(FileManager.default.enumerator(atPath: tiles)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".tile") }.map { tiles + "/" + $0 }
    #expect(files.count == 2)
    let other = bench.folder.appendingPathComponent("other").path
    for file in files { #expect(try bench.run("import", file, state: other).status == 0) }
    #expect(try bench.counts(state: other) == ["learned": 0, "imported": 3, "fetched": 0, "tiles": 0])
  }

  @Test func aDamagedTileIsReported() throws {
    let bench = try Bench()
    let run = try bench.run("import", bench.file("x.tile", "WTIL and then nothing of it"))
    #expect(run.status == 65)
    #expect(run.errors.contains("is not a tile, or is damaged"), "\(run.errors)")
    #expect(try bench.counts()["imported"] == 0)
  }

  @Test(arguments: [
    ("a,b\n1,2\n", "its header has no column bssid"), ("", "it has no line with column names"),
    ("bssid,latitude,longitude\nx,y,z\n", "the first data line is line 2"),
  ]) func badTables(text: String, words: String) throws {
    let bench = try Bench()
    let run = try bench.run("import", bench.file("bad.csv", text))
    #expect(run.status == 65)
    #expect(run.errors.contains(words) && run.errors.contains("WiGLE's CSV"), "\(run.errors)")
    let none = try bench.run("import", "/nonexistent.csv")
    #expect(none.status == 65 && none.errors.contains("There is no file /nonexistent.csv"))
  }

  /// With a radio, the command prints a scan; without one, it prints one sentence.
  @Test func withoutARadioItSaysSo() throws {
    let bench = try Bench()
    for form in ["scan", "locate"] {
      let run = try bench.run(form)
      if run.status == 69 {
        #expect(run.errors.contains("Wi-Fi") && run.output.isEmpty, "\(run.errors)")
      } else {
        #expect([0, 77].contains(run.status), "\(run.errors)")
      }
    }
    let fix = try ProgramRun(
      ["fix", "--source", "wifi"],
      environment: ["LOCATIOND_STATE": bench.state, "LOCATIOND_GPSD": "off", "LOCATIOND_SOCKET": "/nonexistent/socket"])
    #expect(fix.status == 69 || fix.status == 77, "\(fix.errors)")
    #expect(fix.output.isEmpty)
  }

  @Test func itCanBeSwitchedOff() throws {
    let bench = try Bench()
    let run = try ProgramRun(
      ["wifi", "scan"],
      environment: [
        "LOCATIOND_STATE": bench.state, "LOCATIOND_GPSD": "off", "LOCATIOND_SOCKET": "/nonexistent/socket",
        "LOCATIOND_WIFI": "off",
      ])
    #expect(run.status == 69 && run.errors.contains("LOCATIOND_WIFI=off"), "\(run.errors)")
  }

  /// An import of a whole city contains every access point.
  @Test(.enabled(if: RecordedDrive.isThere, "\(RecordedDrive.whatIsMissing)")) func aCity() throws {
    let bench = try Bench()
    let path = try #require(RecordedDrive.folder) + "/wifi/city_access_points.csv"
    #expect(try bench.run("import", path).status == 0)
    // 34,699 lines, of which 2,582 have an address that another line also has.
    #expect(try bench.counts()["imported"] == 32_117)
  }

  /// An access point whose owner opts out later is removed, too.
  @Test func laterRequestsAreRemoved() throws {
    let bench = try Bench()
    _ = try bench.run("import", bench.file("city.csv", Self.table))
    let later = "bssid,latitude,longitude,essid\n00:01:e3:0a:f6:33,46.0,2.0,home_nomap\n"
    let run = try bench.run("import", bench.file("later.csv", later))
    #expect(run.status == 0 && run.errors.contains("1 row left out"), "\(run.errors)")
    #expect(try bench.counts()["imported"] == 2)
  }

  /// A web server and the daemon of another user must be able to read the tiles.
  @Test func tilesAreForEverybodyToRead() throws {
    let bench = try Bench()
    _ = try bench.run("import", bench.file("city.csv", Self.table))
    let tiles = bench.folder.appendingPathComponent("tiles").path
    #expect(try bench.run("export", tiles).status == 0)
    for name in [""] + (FileManager.default.enumerator(atPath: tiles)?.compactMap { $0 as? String } ?? []) {
      let rights = try FileManager.default.attributesOfItem(atPath: "\(tiles)/\(name)")[.posixPermissions] as? Int
      #expect(try #require(rights) & 0o444 == 0o444, "\(name)")
    }
    #expect(try bench.run("export", "").status == 64)
  }
}
