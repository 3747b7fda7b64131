import LocationPolicy
import Testing

/// Who may answer for which client, and which permission the answer can give.
@Suite struct AnswererTests {
  typealias Ceiling = PromptResponder.GrantLimit

  struct Line {
    let answerer: PromptResponder
    let client: ClientIdentity
    /// The permission of the client's user outside a sandbox.
    var own = Ceiling(.always)
    let hasAuthority: Bool
    let most: Ceiling?
  }

  private static func bob(_ realm: ClientIdentity.Realm, _ privilege: ClientPrivilege = .asks) -> PromptResponder {
    PromptResponder(ClientIdentity(userID: 1001, realm: realm), privilege: privilege)
  }

  private static let carol = PromptResponder(ClientIdentity(userID: 1002), privilege: .asks)
  private static let snap = ClientIdentity(userID: 1001, realm: .snap("maps"))
  private static let box = ClientIdentity(userID: 1001, realm: .container("box"))
  private static let unit = ClientIdentity(userID: 1001, realm: .service("bob.service"))

  static let lines: [Line] = [
    // An administrator: for every client, whatever permission its user has.
    Line(answerer: .root, client: .bob, own: Ceiling(.denied), hasAuthority: true, most: .everything),
    Line(answerer: .alice, client: .maps, own: Ceiling(.denied), hasAuthority: true, most: .everything),
    Line(answerer: .alice, client: .weather, own: Ceiling(.notDetermined), hasAuthority: true, most: .everything),
    Line(
      answerer: bob(.service("agent.service"), .administrator), client: .maps, hasAuthority: true, most: .everything),
    // A user: for the user's own sandboxed clients, up to the user's own permission.
    Line(answerer: .bob, client: .maps, hasAuthority: true, most: Ceiling(.always)),
    Line(answerer: .bob, client: snap, hasAuthority: true, most: Ceiling(.always)),
    Line(answerer: .bob, client: .maps, own: Ceiling(.whenInUse), hasAuthority: true, most: Ceiling(.whenInUse)),
    Line(
      answerer: .bob, client: .maps, own: Ceiling(.always, isReduced: true), hasAuthority: true,
      most: Ceiling(.always, isReduced: true)),
    Line(answerer: .bob, client: .maps, own: Ceiling(.notDetermined), hasAuthority: true, most: nil),
    Line(answerer: .bob, client: .maps, own: Ceiling(.denied), hasAuthority: true, most: nil),
    Line(answerer: .bob, client: .maps, own: Ceiling(.restricted), hasAuthority: true, most: nil),
    // But not for the user's own programs, a service or a container, and not for other users' clients.
    Line(answerer: .bob, client: .bob, hasAuthority: false, most: nil),
    Line(answerer: .bob, client: unit, hasAuthority: false, most: nil),
    Line(answerer: .bob, client: box, hasAuthority: false, most: nil),
    Line(answerer: carol, client: .maps, hasAuthority: false, most: nil),
    Line(answerer: carol, client: .bob, hasAuthority: false, most: nil),
    // A sandboxed answerer: for nobody, whatever its privilege.
    Line(answerer: bob(.flatpak("org.gnome.Maps")), client: .maps, hasAuthority: false, most: nil),
    Line(answerer: bob(.flatpak("org.gnome.Maps"), .administrator), client: .maps, hasAuthority: false, most: nil),
    Line(answerer: bob(.snap("maps"), .administrator), client: snap, hasAuthority: false, most: nil),
    Line(answerer: bob(.container("box"), .administrator), client: .maps, hasAuthority: false, most: nil),
    Line(answerer: bob(.service("bob.service")), client: .maps, hasAuthority: false, most: nil),
  ]

  @Test(arguments: lines.indices) func line(_ index: Int) {
    let line = Self.lines[index]
    #expect(line.answerer.hasAuthority(over: line.client) == line.hasAuthority)
    #expect(line.answerer.most(for: line.client, own: line.own) == line.most)
  }

  @Test func rootIsUnconfined() {
    #expect(PromptResponder.root.isRoot)
    #expect(!PromptResponder.alice.isRoot)
    let contained = ClientIdentity(userID: 0, realm: .container("box"))
    #expect(!PromptResponder(contained, privilege: .administrator).isRoot)
    #expect(!PromptResponder(contained, privilege: .administrator).isAdministrator)
  }
}
