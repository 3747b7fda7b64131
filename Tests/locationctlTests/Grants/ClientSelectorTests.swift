import Foundation
import LinuxIO
import LocationPolicy
import Testing
import locationctl

@Suite final class ClientSelectorTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("etc-\(UUID().uuidString)")
  private let accounts: AccountFiles

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let passwd = "root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\n77:x:1077:1077::/:/bin/sh\nbad:x\n"
    try Data(passwd.utf8).write(to: folder.appendingPathComponent("passwd"))
    accounts = AccountFiles(folder.path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func identity(_ text: String) throws -> ClientIdentity {
    try ClientSelector(parsing: text, in: accounts).identity
  }

  @Test(arguments: [
    ("alice", ClientIdentity(userID: 1000)), ("root", ClientIdentity(userID: 0)),
    ("1000", ClientIdentity(userID: 1000)),
    // A user of a domain is in no file; if a user's name consists of digits, the text is that name.
    ("123456", ClientIdentity(userID: 123_456)), ("77", ClientIdentity(userID: 1077)),
    ("alice/flatpak:org.gnome.Maps", ClientIdentity(userID: 1000, realm: .flatpak("org.gnome.Maps"))),
    ("alice/snap:maps", ClientIdentity(userID: 1000, realm: .snap("maps"))),
    ("5/service:a/b:c.service", ClientIdentity(userID: 5, realm: .service("a/b:c.service"))),
    ("alice/container:", ClientIdentity(userID: 1000, realm: .container(""))),
    ("net:192.168.1.20", ClientIdentity(networkAddress: "192.168.1.20")),
    ("net:fd00::1", ClientIdentity(networkAddress: "fd00:0:0:0:0:0:0:1")),
  ]) func whoIsMeant(text: String, expected: ClientIdentity) throws {
    #expect(try identity(text) == expected)
  }

  @Test(arguments: ["bob", "", "/flatpak:x", "-1", "1.0", "4294967295", "4294967296", "bad", "alice ", "٣"])
  func noSuchUser(text: String) {
    let user = text.split(separator: "/", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    #expect(throws: ClientSelector.Problem.noSuchUser(user)) { try identity(text) }
  }

  @Test(arguments: ["", "flatpak", "flatpak:", "snap:", "service:", "tea:x", "Flatpak:x", "own", "net:192.0.2.1"])
  func noSuchRealm(realm: String) {
    #expect(throws: ClientSelector.Problem.noSuchRealm(realm)) { try identity("alice/\(realm)") }
  }

  @Test(arguments: ["", "boat.example.org", "192.168.1", "alice"]) func noSuchAddress(text: String) {
    #expect(throws: ClientSelector.Problem.noSuchAddress(text)) { try identity("net:\(text)") }
  }

  /// Each client in the list can be granted access by its listed name.
  @Test func whatIsListedIsUnderstood() throws {
    for realm in [
      ClientIdentity.Realm.own, .flatpak("org.gnome.Maps"), .snap("maps"), .service("weather.service"),
      .container("box"),
    ] {
      let text = realm.text.isEmpty ? "alice" : "alice/\(realm.text)"
      #expect(try identity(text) == ClientIdentity(userID: 1000, realm: realm))
    }
  }
}
