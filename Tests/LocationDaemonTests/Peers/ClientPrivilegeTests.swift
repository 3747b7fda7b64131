import Foundation
import LinuxIO
import LocationPolicy
import LocationdServer
import Testing

@Suite struct ClientPrivilegeTests {
  /// `maria` is in `location`, and `joan` may open receivers; the groups are 990 and 20.
  private func standing(_ client: RecordedClient, ownUser: UInt32 = 0) throws -> ClientPrivilege {
    let folder = try TemporaryAccounts()
    return ClientPrivilege(client.process, ownUser: ownUser, accounts: folder.files)
  }

  @Test func thoseInCharge() throws {
    #expect(try standing(RecordedClient(user: 0, group: 0, path: RecordedClient.session)) == .administrator)
    #expect(try standing(RecordedClient(user: 0, group: 0, path: "/system.slice/cron.service")) == .administrator)
    #expect(try standing(RecordedClient(user: 1000, path: RecordedClient.session)) == .administrator)
    #expect(try standing(RecordedClient(user: 1002, group: 990, path: RecordedClient.session)) == .administrator)
    #expect(
      try standing(RecordedClient(user: 1002, groups: [4, 990], path: "/system.slice/cron.service")) == .administrator)
    // The service's own user, and a system service whose user is in the group.
    #expect(try standing(RecordedClient(user: 998, path: "/system.slice/a.service"), ownUser: 998) == .administrator)
    #expect(try standing(RecordedClient(user: 999, groups: [990], path: "/system.slice/a.service")) == .administrator)
  }

  @Test func thoseWhoMayOpenReceivers() throws {
    #expect(try standing(RecordedClient(user: 1001, path: RecordedClient.session)) == .entitled)
    #expect(try standing(RecordedClient(user: 1002, groups: [20], path: "/system.slice/cron.service")) == .entitled)
    // Both groups: an administrator.
    #expect(
      try standing(RecordedClient(user: 1001, groups: [990, 20], path: RecordedClient.session)) == .administrator)
  }

  /// A log continues without the process that started it, with the privilege of its account, including the group of the account's
  /// login.
  @Test func whatAnAccountGivesWithoutAProcess() throws {
    let folder = try TemporaryAccounts()
    func standing(_ user: UInt32, _ realm: ClientIdentity.Realm = .own) -> ClientPrivilege {
      ClientPrivilege(ofAccount: ClientIdentity(userID: user, realm: realm), ownUser: 998, accounts: folder.files)
    }
    #expect(
      [0, 998, 1000, 1001, 1002, 1003].map { standing($0) } == [
        .administrator, .administrator, .administrator, .entitled, .asks, .entitled,
      ])
    for realm in [ClientIdentity.Realm.flatpak("a.b"), .snap("a"), .container("")] {
      #expect(standing(0, realm) == .asks && standing(1003, realm) == .asks)
    }
  }

  @Test func everybodyElseAsks() throws {
    #expect(try standing(RecordedClient(user: 1002, path: RecordedClient.session)) == .asks)
    #expect(try standing(RecordedClient(user: 999, path: "/system.slice/a.service")) == .asks)
  }

  /// The documents name exactly the groups whose members are never asked.
  @Test(arguments: [
    "Sources/CoreLocation/CoreLocation.docc/Differences.md", "Sources/locationd/Packaging/man/locationctl.1",
    "Sources/locationd/Packaging/man/locationd.8",
  ])
  func theDocumentsNameTheGroupsThatAreNeverAsked(document: String) throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: package.appendingPathComponent(document), encoding: .utf8)
    let groups = ["location", "dialout", "uucp", "plugdev", "tty", "gpsd", "netdev", "sudo", "adm"]
    for group in groups {
      let folder = try TemporaryFolder()
      try folder.write("passwd", "ada:x:1500:1500::/:/bin/sh\n")
      try folder.write("group", "\(group):x:77:ada\n")
      let client = RecordedClient(user: 1500, path: RecordedClient.session)
      let standing = ClientPrivilege(client.process, ownUser: 998, accounts: AccountFiles(folder.path))
      let isNamed = text.contains("`\(group)`") || text.contains(".Ql \(group)\n") || text.contains(".Ql \(group) ")
      #expect((standing != .asks) == isNamed, "\(group) is \(standing)")
    }
  }

  @Test func theConfinedNeverAre() throws {
    for path in [
      RecordedClient.flatpak, RecordedClient.snap, "/docker/4f1d", "/system.slice/snap.weather.sensor.service",
    ] {
      for user in [0, 1000, 1001] as [UInt32] {
        let client = RecordedClient(user: user, group: 990, groups: [20, 990], path: path)
        #expect(try standing(client) == .asks)
        #expect(try standing(client, ownUser: user) == .asks)
      }
    }
    // Root in separate namespaces.
    let root = RecordedClient(user: 0, group: 0, isInNamespaces: true, path: RecordedClient.session)
    #expect(try standing(root) == .asks)
  }
}

/// The accounts of a machine.
private struct TemporaryAccounts: ~Copyable {
  private let folder: TemporaryFolder
  var files: AccountFiles { AccountFiles(folder.path) }

  init() throws {
    let folder = try TemporaryFolder()
    try folder.write("passwd", "maria:x:1000:1000::/:/bin/sh\njoan:x:1001:1001::/:/bin/sh\nrita:x:1003:20::/:/bin/sh\n")
    try folder.write("group", "dialout:x:20:joan\nlocation:x:990:maria\n")
    self.folder = folder
  }
}
