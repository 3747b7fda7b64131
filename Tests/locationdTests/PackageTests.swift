import Foundation
import TestSupport
import Testing

/// The question of the package, asked by debconf itself with a separate database.
@Suite struct PackageTests {
  private static let frontend = "/usr/share/debconf/frontend"
  private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Sources/locationd/Packaging/debian")

  /// If nobody is asked, nobody becomes an administrator.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: frontend), "debconf is not installed"))
  func anInstallationWithoutQuestionsAddsNoOne() throws {
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
    // A machine with a user in the group sudo.
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

/// The units that start the sockets of users' agents, with names that the service chooses.
@Suite struct AgentStartTests {
  private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/locationd/Packaging")

  @Test func namesThatAreNoNumbersOfAccountsDoNothing() throws {
    let place = try RunningDaemon.Place()
    let folder = place.folder.appendingPathComponent("agents").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // User 0 exists on every machine.
    let names = [
      "0", "00", "0;id", "0 1", "0\n1", "-1", "root", "+0", "0x0", "4294967295", "4200001", "99999999999999999999",
      "$(id)", "`id`", ".0",
    ]
    for name in names { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/1", withDestinationPath: "/etc/passwd")
    try FileManager.default.createDirectory(atPath: folder + "/2", withIntermediateDirectories: false)
    let called = place.folder.appendingPathComponent("called").path
    let systemctl = place.folder.appendingPathComponent("systemctl")
    try Data("#!/bin/sh\necho \"$@\" >>'\(called)'\n".utf8).write(to: systemctl)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: systemctl.path)
    let process = Process()
    process.executableURL = Self.packaging.appendingPathComponent("locationd-agents")
    process.arguments = [folder]
    process.environment = ["PATH": "\(place.folder.path):/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try String(contentsOfFile: called, encoding: .utf8) == "start --no-block location-agent@0.socket\n")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "systemd is not installed"),
    arguments: [
      "location-agent@1000.service", "location-agent@1000.socket", "location-agents.service", "location-agents.path",
      "locationd-metrics.socket", "locationd-metrics@1000.service",
    ]
  ) func theUnitsAreWhatSystemdTakes(_ unit: String) throws {
    let place = try RunningDaemon.Place()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.packaging.path)
    where [".service", ".socket", ".path"].contains(where: name.hasSuffix) {
      // The programs are not installed here; everything else in the units is unchanged.
      let text = try String(contentsOf: Self.packaging.appendingPathComponent(name), encoding: .utf8)
        .replacingOccurrences(of: "/usr/bin/locationd", with: "/bin/true")
        .replacingOccurrences(of: "/usr/bin/locationctl", with: "/bin/true")
        .replacingOccurrences(of: "/usr/libexec/locationd-agents", with: "/bin/true")
      let instance = name.replacingOccurrences(of: "@.", with: "@1000.")
      for name in Set([name, instance]) {
        try Data(text.utf8).write(to: place.folder.appendingPathComponent(name))
      }
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
    process.arguments = ["verify", "--man=no", place.folder.appendingPathComponent(unit).path]
    process.standardInput = FileHandle.nullDevice
    process.standardError = output
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && words == "", "\(words)")
  }
}
