import Foundation
import LinuxIO
import LocationdHost
import TestSupport
import Testing

/// A caster's file that the service could not read.
@Suite struct CasterOwnerTests {
  @Test func aFileOfAnotherUserIsRefused() throws {
    let folder = try TemporaryFolder()
    let root = folder.path
    let file = root + CasterFile.folder + "/base"
    try FileManager.default.createDirectory(atPath: root + CasterFile.folder, withIntermediateDirectories: true)
    try Data("url=ntrip://localhost:2101/A\n".utf8).write(to: URL(fileURLWithPath: file))
    let (own, other) = (geteuid(), geteuid() + 4242)
    try Data("me:x:\(own):0::/:/bin/sh\nlocationd:x:\(other):0::/:/bin/sh\n".utf8).write(
      to: URL(fileURLWithPath: root + "/passwd"))
    let accounts = AccountFiles(root)
    func check(_ name: String, _ user: UInt32) throws(CasterFile.Problem) {
      try CasterFile.check(name, root: root, readableBy: user, accounts: accounts)
    }
    #expect(throws: CasterFile.Problem.foreign(path: file, user: "locationd")) { try check("base", other) }
    try check("base", own)
    try check("base", 0)
    try check("absent", other)
  }
}
