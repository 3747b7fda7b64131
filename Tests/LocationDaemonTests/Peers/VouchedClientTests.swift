import Foundation
import Geodesy
import LinuxIO
import LocationDaemon
import LocationPolicy
import Testing
import TestSupport

/// Real processes of other users, and this machine's own `/proc`.
@Suite(.enabled(if: ProcessEnvironment.isRoot, "only root can be another user")) struct VouchedClientTests {
  private let folder: String
  private let path: String

  init() throws {
    folder = NSTemporaryDirectory() + "vouched-" + UUID().uuidString
    path = folder + "/socket"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try Data("maria:x:1234:1234::/:/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/passwd"))
    try Data("location:x:31990:maria\ndialout:x:31020:\n".utf8).write(to: URL(fileURLWithPath: folder + "/group"))
  }

  private func vouched(_ words: String..., ownUser: UInt32 = 0) throws -> VouchedClient {
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o666))
    let client = try HelperProcess("peer-bed", ["client", path] + words, environment: [:])
    let loop = try EventLoop()
    let id = try loop.watch(listener.descriptor) { _ in loop.stop() }
    loop.schedule(at: MonotonicClock.now() + .seconds(30)) { loop.stop() }
    try loop.run()
    loop.unwatch(id)
    guard let stream = try listener.accept() else { throw SystemError(operation: "accept", errno: 0) }
    let peer = try ConnectedPeer(stream)
    let vouched = try VouchedClient(
      peer, ownUser: ownUser, in: SystemFolders(logins: folder + "/run", accounts: folder))
    client.endInput()
    return vouched
  }

  private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func usersAndGroups() throws {
    defer { cleanUp() }
    let root = try vouched()
    #expect(root.standing == .inCharge)
    #expect(root.identity.userID == 0)
    let maria = try vouched("user=1234", "group=1234")
    #expect(maria.identity == ClientIdentity(userID: 1234))
    #expect(maria.standing == .inCharge)
    #expect(try vouched("user=1235", "group=31990").standing == .inCharge)
    #expect(try vouched("user=1235", "group=1235", "groups=7,31990").standing == .inCharge)
    #expect(try vouched("user=1235", "group=1235", "groups=7,31020").standing == .entitled)
    #expect(try vouched("user=1235", "group=1235", "groups=7").standing == .asks)
    #expect(try vouched("user=1235", "group=1235", "groups=7", ownUser: 1235).standing == .inCharge)
  }

  @Test(arguments: ["own=users", "own=processes"]) func nobodyIsRootByCallingItselfSo(_ own: String) throws {
    defer { cleanUp() }
    for user in ["user=0", "user=1234"] {
      let client = try vouched(user, "groups=31990", own)
      #expect(client.identity.realm == .container(""))
      #expect(client.standing == .asks)
    }
  }
}
