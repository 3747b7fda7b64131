import Foundation
import PlacesCore
import PlacesStore
import TestSupport
import Testing

/// Extracts and files that are damaged, by accident or on purpose.
@Suite(.serialized, .enabled(if: Extracts.areThere, "LOCATION_DATA names no extracts"))
struct HostileInputTests {
  private static let isSoak = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"
  /// `make soak` damages every extract.
  private static let names = isSoak ? Extracts.names : ["monaco"]

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: Extracts.path(name))) }

  private func withHome(_ body: (String) throws -> Void) throws {
    let home = NSTemporaryDirectory() + "locationd-places-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try body(home)
  }

  private func leftovers(_ home: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: home + "/locationd/places")) ?? []
  }

  /// One line, which says what is wrong with the file, and nothing is left behind.
  private func expectOneMessage(_ result: Import, _ home: String, _ context: String) {
    #expect(result.status == 65, "\(context): \(result)")
    #expect(
      result.errors.split(separator: "\n").count == 1 && result.errors.hasPrefix("locationctl: "),
      "\(context): \(result.errors)")
    #expect(leftovers(home).isEmpty, "\(context)")
  }

  @Test(arguments: names) func aTruncatedExtractGivesOneMessage(name: String) throws {
    let whole = try bytes(name)
    try withHome { home in
      var random = SplitMix64(seed: 1)
      let path = home + "/cut.osm.pbf"
      for _ in 0..<(Self.isSoak ? 200 : 25) {
        let length = Int.random(in: 0..<whole.count, using: &random)
        try whole.prefix(length).write(to: URL(fileURLWithPath: path))
        expectOneMessage(Import.run([path], home: home), home, "\(length) bytes")
      }
    }
  }

  @Test(arguments: names) func flippedBitsGiveOneMessageOrAFile(name: String) throws {
    let whole = try bytes(name)
    try withHome { home in
      var random = SplitMix64(seed: 2)
      let path = home + "/flipped.osm.pbf"
      for _ in 0..<(Self.isSoak ? 200 : 20) {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = Import.run([path, "--replace"], home: home)
        if result.status != 0 {
          #expect(result.status == 65, "\(result)")
          #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        #expect(leftovers(home).allSatisfy { $0 == "flipped.places" })
      }
    }
  }

  /// The parts of an extract in another order: the message names the command that sorts it.
  @Test(arguments: names) func anUnsortedExtractGivesOneMessage(name: String) throws {
    let parts = Self.parts(of: try bytes(name))
    try #require(parts.count > 3)
    try withHome { home in
      let path = home + "/unsorted.osm.pbf"
      for order in [[parts.count - 1] + Array(1..<parts.count - 1), Array((1..<parts.count).reversed())] {
        let bytes = order.reduce(parts[0]) { $0 + parts[$1] }
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = Import.run([path], home: home)
        expectOneMessage(result, home, "\(order)")
        #expect(result.errors.contains("run 'osmium sort"), "\(result)")
      }
    }
  }

  /// The header and the blocks of an extract, each with its length (wiki.openstreetmap.org/wiki/PBF_Format).
  private static func parts(of extract: Data) -> [Data] {
    let bytes = Array(extract)
    var (parts, offset): ([Data], Int) = ([], 0)
    while offset + 4 <= bytes.count {
      let header = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      // The last field of the header, 3, which follows the type: the size of the block.
      let field = offset + 6 + Int(bytes[offset + 5])
      guard bytes[field] == 0x18 else { break }
      let size = bytes[(field + 1)..<(offset + 4 + header)].reversed().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      let end = offset + 4 + header + size
      guard end <= bytes.count else { break }
      parts.append(Data(bytes[offset..<end]))
      offset = end
    }
    return parts
  }

  @Test func textIsNoExtract() throws {
    try withHome { home in
      for (name, text) in [("empty", ""), ("text", "No extract.\n"), ("xml", "<osm version=\"0.6\"></osm>")] {
        let path = home + "/\(name).osm.pbf"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        expectOneMessage(Import.run([path], home: home), home, name)
      }
      #expect(Import.run([home], home: home).status == 65)
      #expect(Import.run([home + "/none"], home: home).status == 65)
      #expect(Import.run([], home: home).status == 64)
    }
  }

  /// A killed import leaves the old file; what it left is removed by the next one.
  @Test func aKilledImportLeavesTheOldFile() throws {
    try withHome { home in
      let path = try Extracts.path("monaco")
      #expect(Import.run([path], home: home).status == 0)
      let file = home + "/locationd/places/monaco.places"
      let before = try #require(FileManager.default.contents(atPath: file))
      #expect(Import.run([path], home: home).status == 73, "it is not replaced without --replace")
      var random = SplitMix64(seed: UInt64(getpid()))
      for _ in 0..<(Self.isSoak ? 50 : 8) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: HelperProcess.folder + "/locationctl-places")
        process.arguments = ["import", path, "--replace"]
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": home]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The time of the kill is the only thing here that must be random.
        _ = poll(nil, 0, Int32.random(in: 0...300, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let now = try #require(FileManager.default.contents(atPath: file))
        #expect(now == before || process.terminationStatus == 0)
        let opened = try PlacesFile(path: file, checks: true)
        #expect(try opened.places(matching: ForwardQuery(.text("Monaco"))).first?.locality == "Monaco")
      }
      #expect(Import.run([path, "--replace"], home: home).status == 0)
      #expect(leftovers(home) == ["monaco.places"])
    }
  }

  /// A file whose bytes were changed is refused, or answers wrongly; it never ends the program.
  @Test func aDamagedFileIsAnError() throws {
    let original = try #require(FileManager.default.contents(atPath: try Extracts.file("monaco").path))
    try withHome { home in
      var random = SplitMix64(seed: 3)
      let path = home + "/damaged.places"
      for round in 0..<(Self.isSoak ? 2000 : 150) {
        var bytes = original
        if round % 4 == 0 { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
        for _ in 0..<Int.random(in: 1...200, using: &random) where !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        for checks in [false, true] {
          do {
            let file = try PlacesFile(path: path, checks: checks)
            for text in ["12 Avenue Princesse Grace, Monaco", "Fontvieille", "Bouelvard Albert"] {
              _ = try? file.places(matching: ForwardQuery(.text(text)))
            }
            for step in 0..<20 {
              let place = LocalPoint(x: 7_410_000 + Int32(step) * 1500, y: 43_725_000 + Int32(step) * 1000)
              _ = try? file.place(at: ReverseQuery(place.coordinate))
            }
            _ = try? file.area(named: "Fontvieille", mostCorners: 100)
          } catch {
            #expect(error is PlaceError)
          }
        }
      }
    }
  }

  /// A reader that its input has taken over can write anything: its file is checked as a whole, by a process that cannot change it.
  @Test func theFileOfTheReaderIsChecked() throws {
    let original = try #require(FileManager.default.contents(atPath: try Extracts.file("monaco").path))
    try withHome { home in
      let result = URL(fileURLWithPath: home + "/result")
      try original.write(to: result)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: result.path)
      let sound = Import.check(home)
      #expect(sound.status == 0 && sound.output == "done 0 0 0 - -\n", "\(sound)")
      #expect(try Data(contentsOf: result) == original)
      // Beyond the first page, which opening reads.
      var damaged = original
      for index in stride(from: 8192, to: damaged.count, by: 4096) { damaged[index] = 0xFF }
      try damaged.write(to: result)
      let refused = Import.check(home)
      #expect(refused.status == 65 && refused.output.hasPrefix("failed check "), "\(refused)")
    }
  }

  /// The umask of root may keep other users out of what it creates.
  @Test func allUsersCanReadDataOfTheSystem() throws {
    try withHome { home in
      let folder = home + "/of/system"
      let result = Import.run(
        [try Extracts.path("monaco"), "--system"], home: home,
        prefix: [
          "/usr/bin/env", "LOCATIOND_PLACES_FOLDER=\(folder)", "/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\"",
        ])
      #expect(result.status == 0, "\(result)")
      for (path, mode) in [(home + "/of", 0o755), (folder, 0o755), (folder + "/monaco.places", 0o644)] {
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(found == mode, "\(path)")
      }
    }
  }

  /// A home folder may be behind a link; a link in the place of a file is not followed.
  @Test func onlyTheFolderMayBeBehindALink() throws {
    try withHome { home in
      try FileManager.default.createDirectory(atPath: home + "/disk", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: home + "/link", withDestinationPath: home + "/disk")
      let result = Import.run([try Extracts.path("monaco")], home: home + "/link")
      #expect(result.status == 0, "\(result)")
      let folder = home + "/link/locationd/places"
      _ = try PlacesFile(path: folder + "/monaco.places")
      let link = folder + "/link.places"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "monaco.places")
      #expect(throws: PlaceError.unreadable(path: link, operation: "open", code: ELOOP)) {
        _ = try PlacesFile(path: link)
      }
    }
  }

  /// A large extract is sorted in temporary files, after libosmium has closed standard input; the reader has no access to `/dev/null`.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "needs strace"))
  func sortingWritesTemporaryFiles() throws {
    try withHome { home in
      let path = try Extracts.path("liechtenstein-2024")
      let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      let folder = home + "/work"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let trace = home + "/trace"
      let result = try Import.read(
        path, in: folder, ["sourceSize=\(size)", "cacheSize=262144"],
        prefix: ["/usr/bin/strace", "-f", "-qq", "-e", "trace=openat", "-o", trace])
      #expect(result.status == 0, "\(result)")
      #expect(result.output.split(separator: "\n").last?.hasPrefix("done ") == true, "\(result)")
      let calls = String(decoding: try #require(FileManager.default.contents(atPath: trace)), as: UTF8.self)
      #expect(calls.contains("etilqs_"), "no temporary file was opened: \(calls)")
      #expect(
        try PlacesFile(path: folder + "/result", checks: true).places(matching: ForwardQuery(.text("Vaduz"))).first?
          .locality == "Vaduz")
    }
  }

  /// What the kernel does not prevent is said once.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "needs strace"))
  func missingConfinementIsReported() throws {
    try withHome { home in
      let result = Import.run(
        [try Extracts.path("monaco")], home: home,
        prefix: [
          "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=seccomp,landlock_create_ruleset", "-e",
          "inject=seccomp,landlock_create_ruleset:error=ENOSYS",
        ])
      #expect(result.status == 0, "\(result)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
      #expect(result.errors.hasPrefix("locationctl: warning: "), "\(result)")
      #expect(result.errors.contains("from starting programs"), "\(result)")
      // Root becomes a user without files, in a root directory of its own.
      #expect(result.errors.contains("from opening your other files") == (getuid() != 0), "\(result)")
    }
  }

  /// Neither the program nor its processes open a socket.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "needs strace"))
  func noSocketIsOpened() throws {
    try withHome { home in
      let trace = home + "/trace"
      let result = Import.run(
        [try Extracts.path("monaco")], home: home,
        prefix: ["/usr/bin/strace", "-f", "-qq", "-e", "trace=socket,connect,execve", "-o", trace])
      #expect(result.status == 0, "\(result.errors)")
      let calls = String(decoding: try #require(FileManager.default.contents(atPath: trace)), as: UTF8.self).split(
        separator: "\n")
      #expect(calls.filter { $0.contains("socket(") || $0.contains("connect(") }.isEmpty, "\(calls)")
      // The program, the process that reads the extract, and the one that checks the new file.
      #expect(calls.filter { $0.contains("execve(") && $0.contains("= 0") }.count == 3, "\(calls)")
    }
  }
}
