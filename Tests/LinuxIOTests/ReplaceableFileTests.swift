import Foundation
import LinuxIO
import Testing

@Suite struct ReplaceableFileTests {
  private struct Folder: ~Copyable {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
  }

  @Test func aLinkStaysALink() throws {
    let folder = try Folder()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: folder.path("file"))
    let file = try ReplaceableFile(path: folder.path("link"), maximumSize: 10)
    #expect(file.bytes == Array("old".utf8))
    try file.replace(with: Array("new content".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "file")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("file"))) == Data("new content".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("file"))
    #expect(attributes[.posixPermissions] as? Int == 0o604)
    #expect(folder.names == ["file", "link"])
  }

  @Test func whatAnotherChangedMeanwhileIsNotReplaced() throws {
    let folder = try Folder()
    let url = URL(fileURLWithPath: folder.path("file"))
    try Data("old".utf8).write(to: url)
    let file = try ReplaceableFile(path: url.path, maximumSize: 10)
    try Data("theirs".utf8).write(to: url)
    #expect(throws: SystemError(operation: "rename", errno: ESTALE)) { try file.replace(with: [1, 2, 3]) }
    #expect(try Data(contentsOf: url) == Data("theirs".utf8))
    #expect(folder.names == ["file"])
  }

  @Test func invalidSuchFileIsRefused() throws {
    let folder = try Folder()
    try Data("more than it takes".utf8).write(to: URL(fileURLWithPath: folder.path("large")))
    #expect(throws: InputFileError.system(SystemError(operation: "read", errno: EFBIG))) {
      try ReplaceableFile(path: folder.path("large"), maximumSize: 10)
    }
    #expect(throws: InputFileError.doesNotExist) {
      try ReplaceableFile(path: folder.path("none"), maximumSize: 10)
    }
    #expect(throws: InputFileError.isNotARegularFile) { try ReplaceableFile(path: folder.url.path, maximumSize: 10) }
    #expect(throws: InputFileError.isNotARegularFile) { try ReplaceableFile(path: "/dev/zero", maximumSize: 10) }
  }
}
