import Foundation
import LinuxIO
import Testing

@Suite struct NewFileTests {
  private let folder: String
  private var path: String { folder + "/new" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/new-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func hasItsNameWhenItIsWhole() throws {
    var file = try NewFile(path: path)
    try file.append(Array("one, ".utf8))
    #expect(!files.contains("new"))
    try file.append(Array("two".utf8))
    try file.finish()
    #expect(files == ["new"])
    #expect(try text() == "one, two")
  }

  @Test func leavesNothingWhereItDoesNotBecomeWhole() throws {
    do {
      var file = try NewFile(path: path)
      try file.append(Array("half".utf8))
      #expect(files.count == 1)
    }
    #expect(files == [])
  }

  @Test func nothingIsReplaced() throws {
    var file = try NewFile(path: path)
    try file.append(Array("ours".utf8))
    try Data("theirs".utf8).write(to: URL(fileURLWithPath: path))
    let failure = Self.finish(file)
    #expect(failure == SystemError(operation: "rename", errno: EEXIST))
    #expect(throws: SystemError(operation: "open", errno: EEXIST)) { _ = try NewFile(path: path) }
    #expect(files == ["new"])
    #expect(try text() == "theirs")
  }

  private static func finish(_ file: consuming NewFile) -> SystemError? {
    do throws(SystemError) {
      try file.finish()
      return nil
    } catch {
      return error
    }
  }

  @Test func aNameThatLeadsNowhereIsTaken() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder + "/nothing")
    #expect(throws: SystemError(operation: "open", errno: EEXIST)) { _ = try NewFile(path: path) }
  }
}
