import Foundation
import LinuxIO
import Testing

/// A file to which only whole pieces are appended.
@Suite struct OutputFileTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)").path

  private func content() -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func growsAndIsPrivate() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var file = try OutputFile(path: path, replacing: false)
    try file.append(Array("one\n".utf8))
    try file.append(Array("two\n".utf8))
    try file.synchronize()
    #expect(content() == "one\ntwo\n")
    #expect(file.length == 8)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let target = path + "-target"
    defer { for name in [path, target] { try? FileManager.default.removeItem(atPath: name) } }
    try Data("precious\n".utf8).write(to: URL(fileURLWithPath: target))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(throws: SystemError(operation: "open", errno: ELOOP)) { _ = try OutputFile(path: path, replacing: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("precious\n".utf8))
  }

  @Test func whatExistsIsReplacedOnlyWhenAskedAndOnlyBySomething() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("something longer\n".utf8).write(to: URL(fileURLWithPath: path))
    do {
      _ = try OutputFile(path: path, replacing: false)
      Issue.record("replaced")
    } catch {
      #expect(error.isExistence)
    }
    var file = try OutputFile(path: path, replacing: true)
    #expect(content() == "something longer\n")
    // The object did not create the file, and therefore does not remove it.
    file.discard()
    #expect(content() == "something longer\n")
    try file.append(Array("new\n".utf8))
    #expect(content() == "new\n")
  }

  @Test func aNewOneIsTakenAwayAgain() throws {
    let file = try OutputFile(path: path, replacing: false)
    file.discard()
    #expect(content() == nil)
  }

  @Test func oversizedValuesAreErrors() throws {
    var file = try OutputFile(path: "/dev/full", replacing: true)
    do {
      try file.append([1, 2, 3])
      Issue.record("written")
    } catch {
      #expect(error.errno == ENOSPC)
    }
    #expect(file.length == 0)
  }

  @Test func twoNamesOfOneFile() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(fileURLWithPath: path))
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    #expect(InputFile.isOne(path, folder.path + "/./" + URL(fileURLWithPath: path).lastPathComponent))
    #expect(!InputFile.isOne(path, folder.path))
    #expect(!InputFile.isOne(path, path + "-missing"))
  }
}
