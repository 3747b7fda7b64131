import Foundation
import PlacesStore
import TestSupport
import Testing

/// The extracts of `LOCATION_DATA`, imported once by the program itself.
enum Extracts {
  static let folder = ProcessInfo.processInfo.environment["LOCATION_DATA"].map { $0 + "/places" }
  static let areThere = folder.map { FileManager.default.fileExists(atPath: $0 + "/monaco.osm.pbf") } ?? false
  static let names = ["liechtenstein-2024", "andorra-2025", "helsinki", "monaco", "porto"]

  static func path(_ name: String) throws -> String { try #require(folder) + "/\(name).osm.pbf" }

  /// The folder with all files; it stays until the tests end.
  static let imported: String? = {
    let home = NSTemporaryDirectory() + "locationd-places-\(getpid())"
    guard areThere, (try? FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)) != nil
    else {
      return nil
    }
    atexit { try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "locationd-places-\(getpid())") }
    for name in names {
      guard let folder, Import.run([folder + "/\(name).osm.pbf"], home: home).status == 0 else { return nil }
    }
    return home + "/locationd/places"
  }()

  static func file(_ name: String) throws -> PlacesFile {
    try PlacesFile(path: try #require(imported) + "/\(name).places")
  }
}

/// One run of `locationctl-places import`.
struct Import {
  var status: Int32
  var errors: String
  var output: String

  static func run(_ arguments: [String], home: String, prefix: [String] = []) -> Import {
    let process = Process()
    let command = prefix + [HelperProcess.folder + "/locationctl-places", "import"] + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": home]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch { return Import(status: -1, errors: "\(error)", output: "") }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let result = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Import(status: process.terminationStatus, errors: text, output: result)
  }
}
