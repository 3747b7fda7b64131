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

/// One run of `locationctl-places`.
struct Import {
  var status: Int32
  var errors: String
  var output: String

  static func run(_ arguments: [String], home: String, prefix: [String] = []) -> Import {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": home]) { $1 }
    return finish(process, prefix + [program, "import"] + arguments)
  }

  /// The confined process alone, which reads an extract and makes the file `result` in a folder.
  static func read(_ extract: String, in folder: String, _ arguments: [String], prefix: [String] = []) throws -> Import
  {
    // It becomes this user if root runs the tests.
    if getuid() == 0 { #expect(unsafe chown(folder, 65_534, 65_534) == 0) }
    let process = Process()
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: extract))
    return finish(process, prefix + [program, "read"] + arguments)
  }

  /// The confined process that checks the file `result` in a folder.
  static func check(_ folder: String) -> Import {
    let process = Process()
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    return finish(process, [program, "check"])
  }

  private static let program = HelperProcess.folder + "/locationctl-places"

  private static func finish(_ process: Process, _ command: [String]) -> Import {
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
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
