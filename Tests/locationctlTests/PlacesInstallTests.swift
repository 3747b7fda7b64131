import Foundation
import TestSupport
import Testing

/// The extract that the server has.
private enum ServedExtract {
  static let path = (ProcessInfo.processInfo.environment["LOCATION_DATA"] ?? "") + "/places/monaco.osm.pbf"
  static let isPossible = StandInServer.isPossible && FileManager.default.fileExists(atPath: path)
}

/// Extracts from a server on this machine.
@Suite(.serialized, .enabled(if: ServedExtract.isPossible, "needs LOCATION_DATA, Python and libcurl"))
struct PlacesInstallTests {
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("install-\(UUID().uuidString)")

  private func run(_ arguments: [String], mirror: String? = nil) throws -> ProgramRun {
    var environment = ["XDG_DATA_HOME": home.path, "LOCATIOND_PLACES_FOLDER": home.path + "/none"]
    environment["LOCATIOND_PLACES_MIRROR"] = mirror ?? ""
    return try ProgramRun(["places"] + arguments, environment: environment)
  }

  /// A server with the extract, whose time is this one.
  private func serve(_ server: StandInServer, time: TimeInterval) throws {
    let folder = server.folder.appendingPathComponent("files/europe")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("monaco-latest.osm.pbf")
    try Data(contentsOf: URL(fileURLWithPath: ServedExtract.path)).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file.path)
  }

  @Test func anExtractIsInstalledAndUpdated() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = try StandInServer()
    try serve(server, time: 1_700_000_000)
    let installed = try run(["install", "europe/monaco", "--force"], mirror: server.address(""))
    #expect(installed.status == 0, "\(installed)")
    #expect(installed.output.hasPrefix("Imported monaco: "), "\(installed)")
    for text in ["0.5 MB", "127.0.0.1", "OpenStreetMap contributors", "Open Database License"] {
      #expect(installed.errors.contains(text), "\(text): \(installed)")
    }
    let folder = home.path + "/locationd/places"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["monaco.places"])
    let list = try run(["list", "--json"])
    #expect(list.output.contains("/europe/monaco-latest.osm.pbf"), "\(list)")

    let again = try run(["install", "europe/monaco", "--force"], mirror: server.address(""))
    #expect(again.status == 73 && again.errors.contains("places update monaco"), "\(again)")
    let current = try run(["update", "--force"])
    #expect(current.status == 0 && current.errors.contains("monaco is up to date"), "\(current)")
    try serve(server, time: 1_700_000_100)
    let updated = try run(["update", "monaco", "--force"])
    #expect(updated.status == 0 && updated.output.hasPrefix("Imported monaco: "), "\(updated)")
  }

  @Test func nothingIsFetchedWithoutConsent() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let server = try StandInServer()
    try serve(server, time: 1_700_000_000)
    let none = try run(["install", "europe/monaco", "--force"])
    #expect(none.status == 64 && none.errors.contains("LOCATIOND_PLACES_MIRROR"), "\(none)")
    #expect(server.count == 0)
    let unasked = try run(["install", "europe/monaco", "--mirror", server.address("")])
    #expect(unasked.status == 64 && unasked.errors.contains("--force"), "\(unasked)")
    // Only the size was asked for.
    let requests = String(decoding: server.received, as: UTF8.self)
    #expect(server.count == 1 && requests.hasPrefix("HEAD /europe/monaco-latest.osm.pbf "), "\(requests)")
    let missing = try run(["install", "europe/atlantis", "--force"], mirror: server.address(""))
    #expect(missing.status == 65 && missing.errors.contains("check the name"), "\(missing)")
    for name in ["../monaco", "/monaco", "europe//monaco", "-x"] {
      #expect(try run(["install", "--force", "--", name], mirror: server.address("")).status == 64, "\(name)")
    }
    let unknown = try run(["update", "--force"])
    #expect(unknown.status == 65, "\(unknown)")
  }
}
