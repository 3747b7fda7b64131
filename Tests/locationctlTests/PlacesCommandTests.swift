import Foundation
import Testing

/// Imported files that cannot be used.
@Suite struct PlacesCommandTests {
  /// The world's data around the test, without the rest of the world.
  private static let world = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PlacesTests/Cut").path

  /// Runs a command of a user who has one imported file, which is none.
  private func run(_ arguments: [String]) throws -> ProgramRun {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    let folder = home.appendingPathComponent("locationd/places")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try Data("This is no file of places, although it has the name of one.\n".utf8).write(
      to: folder.appendingPathComponent("bad.places"))
    return try ProgramRun(
      arguments,
      environment: [
        "XDG_DATA_HOME": home.path, "LOCATIOND_PLACES_FOLDER": home.path + "/none", "LOCATIOND_WORLD": Self.world,
      ])
  }

  @Test(arguments: [["places", "at", "47.1393,9.5228"], ["places", "find", "Vaduz"]])
  func aBadFileIsReportedAndTheWorldAnswers(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("Vaduz"), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains("'locationctl places remove bad'"), "\(result)")
  }

  @Test func theListHasTheBadFile() throws {
    let result = try run(["places", "list", "--json"])
    #expect(result.status == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.filter { $0.contains("\"intact\":false") }.count == 1, "\(result)")
    #expect(lines.last?.contains("\"name\":\"bad\"") == true, "\(result)")
  }

  @Test func theTimeZoneNeedsNoImportedFile() throws {
    let result = try run(["timezone", "47.1393,9.5228"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.contains("Europe/Vaduz"), "\(result)")
  }
}
