import Foundation
import Geodesy
import LinuxIO
import LocationPolicy
import LocationdServer
import Testing
import TestSupport

/// Real processes of other users, and the real `/proc` of this machine.
@Suite(.enabled(if: ProcessEnvironment.isRoot, "only root can be another user")) struct AuthenticatedPeerTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "vouched-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try Data("maria:x:1234:1234::/:/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/passwd"))
    try Data("location:x:31990:maria\ndialout:x:31020:\n".utf8).write(to: URL(fileURLWithPath: folder + "/group"))
  }

  private func authenticatedPeer(_ words: String..., ownUser: UInt32 = 0) throws -> AuthenticatedPeer {
    try authenticatedPeer(words, ownUser: ownUser)
  }

  private func authenticatedPeer(_ words: [String], ownUser: UInt32 = 0) throws -> AuthenticatedPeer {
    // A separate name, because a program that another test starts holds the previous socket's lock for a moment.
    let path = "\(folder)/\(UUID().uuidString.prefix(8))"
    let listener = try UnixListener(at: path, UnixListener.Access(mode: 0o666))
    let client = try HelperProcess("peer-bed", ["client", path] + words, environment: [:])
    let loop = try EventLoop()
    let id = try loop.watch(listener.descriptor) { _ in loop.stop() }
    loop.schedule(at: MonotonicClock.now() + .seconds(30)) { loop.stop() }
    try loop.run()
    loop.unwatch(id)
    guard let stream = try listener.accept() else { throw SystemError(operation: "accept", errno: 0) }
    let peer = try ConnectedPeer(stream)
    let authenticatedPeer = try AuthenticatedPeer(
      peer, ownUser: ownUser, in: SystemFolders(logins: folder + "/run", accounts: folder))
    client.endInput()
    return authenticatedPeer
  }

  /// A hierarchy of control groups where nothing else depends on new groups.
  static let groups: String? =
    FileManager.default.fileExists(atPath: "/run/systemd/system")
    ? nil
    : ["/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].first {
      FileManager.default.isWritableFile(atPath: $0 + "/cgroup.procs")
    }

  @Test(.enabled(if: groups != nil, "control groups are somebody's (systemd's), or may not be written"))
  func controlGroupsAsTheKernelHasThem() throws {
    defer { cleanUp() }
    let root = try #require(Self.groups)
    let id = "c\(ProcessEnvironment.processID)"
    let person = "user.slice/user-1234.slice"
    func inGroup(_ path: String, _ words: String...) throws -> AuthenticatedPeer {
      let folder = "\(root)/\(path)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { removeGroups(path, in: root) }
      return try authenticatedPeer(words + ["cgroup=\(folder)"])
    }
    try FileManager.default.createDirectory(atPath: folder + "/run/sessions", withIntermediateDirectories: true)
    try Data("STATE=active\nCLASS=user\n".utf8).write(to: URL(fileURLWithPath: folder + "/run/sessions/\(id)"))
    let session = try inGroup("\(person)/session-\(id).scope", "user=1234")
    #expect(session.process.controlGroup.owner == .session(id))
    #expect(session.identity.realm == .own)
    #expect(session.privilege == .administrator)
    #expect(session.presence == .inUse)
    let service = try inGroup("system.slice/weather-\(id).service", "user=998")
    #expect(service.identity == ClientIdentity(userID: 998, realm: .service("weather-\(id).service")))
    #expect(service.presence == .background)
    let apps = "\(person)/user@1234.service/app.slice"
    let flatpak = try inGroup(
      "\(apps)/app-flatpak-org.a\\x2db.\(id)-1.scope", "user=1234", "own=users", "own=processes")
    #expect(flatpak.identity == ClientIdentity(userID: 1234, realm: .flatpak("org.a-b.\(id)")))
    #expect(flatpak.privilege == .asks)
    let snap = try inGroup("\(apps)/snap.weather.\(id)-0d2f.scope", "user=1234")
    #expect(snap.identity == ClientIdentity(userID: 1234, realm: .snap("weather")))
    #expect(snap.privilege == .asks)
    let container = try inGroup("system.slice/docker-\(id).scope", "user=0")
    #expect(container.identity == ClientIdentity(userID: 0, realm: .container("docker-\(id)")))
    #expect(container.privilege == .asks)
  }

  /// Removes the group, and its parents that are empty.
  private func removeGroups(_ path: String, in root: String) {
    var path = path
    while !path.isEmpty, unsafe rmdir("\(root)/\(path)") == 0 { path = (path as NSString).deletingLastPathComponent }
  }

  private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func usersAndGroups() throws {
    defer { cleanUp() }
    let root = try authenticatedPeer()
    #expect(root.privilege == .administrator)
    #expect(root.identity.userID == 0)
    let maria = try authenticatedPeer("user=1234", "group=1234")
    #expect(maria.identity == ClientIdentity(userID: 1234))
    #expect(maria.privilege == .administrator)
    #expect(try authenticatedPeer("user=1235", "group=31990").privilege == .administrator)
    #expect(try authenticatedPeer("user=1235", "group=1235", "groups=7,31990").privilege == .administrator)
    #expect(try authenticatedPeer("user=1235", "group=1235", "groups=7,31020").privilege == .entitled)
    #expect(try authenticatedPeer("user=1235", "group=1235", "groups=7").privilege == .asks)
    #expect(try authenticatedPeer("user=1235", "group=1235", "groups=7", ownUser: 1235).privilege == .administrator)
  }

  @Test(arguments: ["own=users", "own=processes"]) func aClaimedUserIDGrantsNothing(_ own: String) throws {
    defer { cleanUp() }
    for user in ["user=0", "user=1234"] {
      let client = try authenticatedPeer(user, "groups=31990", own)
      #expect(client.identity.realm == .container(""))
      #expect(client.privilege == .asks)
    }
  }
}
