import Foundation
import Testing

/// The package's question, by debconf itself on a database of its own.
@Suite struct PackageTests {
  private static let frontend = "/usr/share/debconf/frontend"
  private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Sources/locationd/Packaging/debian")

  /// Where nobody is asked, nobody is put in charge.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: frontend), "debconf is not installed"))
  func anInstallationWithoutQuestionsAddsNobody() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("debconf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["locationd.config", "locationd.templates"] {
      try FileManager.default.copyItem(
        at: Self.packaging.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
    let database = folder.appendingPathComponent("config.dat")
    let drivers = [("config", database.path), ("templates", folder.path + "/templates.dat")].map { name, path in
      "\nName: \(name)\nDriver: File\nMode: 644\nFilename: \(path)\n"
    }
    try Data("Config: config\nTemplates: templates\n\(drivers.joined())".utf8).write(
      to: folder.appendingPathComponent("rc"))
    // A machine with somebody in the group sudo.
    let getent = folder.appendingPathComponent("getent")
    try Data("#!/bin/sh\necho sudo:x:27:alice,bob\n".utf8).write(to: getent)
    for file in [getent, folder.appendingPathComponent("locationd.config")] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.frontend)
    process.arguments = [folder.path + "/locationd.config", "configure", ""]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "DEBCONF_SYSTEMRC": folder.path + "/rc", "DEBIAN_FRONTEND": "noninteractive",
      "PATH": "\(folder.path):/usr/bin:/bin:/usr/sbin:/sbin",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOf: database, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("Name: locationd/members") })
    #expect(!lines.contains { $0.contains("alice") }, "\(lines)")
  }
}
