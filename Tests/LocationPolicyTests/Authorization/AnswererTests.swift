import LocationPolicy
import Testing

/// Who may answer for whom, and how much may be given by it.
@Suite struct AnswererTests {
  typealias Ceiling = Answerer.Ceiling

  struct Line {
    let answerer: Answerer
    let client: ClientIdentity
    /// What the client's user has unconfined.
    var own = Ceiling(.always)
    let hasSay: Bool
    let most: Ceiling?
  }

  private static func bob(_ realm: ClientIdentity.Realm, _ standing: ClientStanding = .asks) -> Answerer {
    Answerer(ClientIdentity(userID: 1001, realm: realm), standing: standing)
  }

  private static let carol = Answerer(ClientIdentity(userID: 1002), standing: .asks)
  private static let snap = ClientIdentity(userID: 1001, realm: .snap("maps"))
  private static let box = ClientIdentity(userID: 1001, realm: .container("box"))
  private static let unit = ClientIdentity(userID: 1001, realm: .service("bob.service"))

  static let lines: [Line] = [
    // In charge: anybody's, whatever they have.
    Line(answerer: .root, client: .bob, own: Ceiling(.denied), hasSay: true, most: .everything),
    Line(answerer: .alice, client: .maps, own: Ceiling(.denied), hasSay: true, most: .everything),
    Line(answerer: .alice, client: .weather, own: Ceiling(.notDetermined), hasSay: true, most: .everything),
    Line(answerer: bob(.service("agent.service"), .inCharge), client: .maps, hasSay: true, most: .everything),
    // A user's own, for what is confined, up to what the user has.
    Line(answerer: .bob, client: .maps, hasSay: true, most: Ceiling(.always)),
    Line(answerer: .bob, client: snap, hasSay: true, most: Ceiling(.always)),
    Line(answerer: .bob, client: .maps, own: Ceiling(.whenInUse), hasSay: true, most: Ceiling(.whenInUse)),
    Line(
      answerer: .bob, client: .maps, own: Ceiling(.always, isReduced: true), hasSay: true,
      most: Ceiling(.always, isReduced: true)),
    Line(answerer: .bob, client: .maps, own: Ceiling(.notDetermined), hasSay: true, most: nil),
    Line(answerer: .bob, client: .maps, own: Ceiling(.denied), hasSay: true, most: nil),
    Line(answerer: .bob, client: .maps, own: Ceiling(.restricted), hasSay: true, most: nil),
    // But not for themselves, for a service or a container, or for others'.
    Line(answerer: .bob, client: .bob, hasSay: false, most: nil),
    Line(answerer: .bob, client: unit, hasSay: false, most: nil),
    Line(answerer: .bob, client: box, hasSay: false, most: nil),
    Line(answerer: carol, client: .maps, hasSay: false, most: nil),
    Line(answerer: carol, client: .bob, hasSay: false, most: nil),
    // Nothing confined for anybody, whatever the standing.
    Line(answerer: bob(.flatpak("org.gnome.Maps")), client: .maps, hasSay: false, most: nil),
    Line(answerer: bob(.flatpak("org.gnome.Maps"), .inCharge), client: .maps, hasSay: false, most: nil),
    Line(answerer: bob(.snap("maps"), .inCharge), client: snap, hasSay: false, most: nil),
    Line(answerer: bob(.container("box"), .inCharge), client: .maps, hasSay: false, most: nil),
    Line(answerer: bob(.service("bob.service")), client: .maps, hasSay: false, most: nil),
  ]

  @Test(arguments: lines.indices) func line(_ index: Int) {
    let line = Self.lines[index]
    #expect(line.answerer.hasSay(over: line.client) == line.hasSay)
    #expect(line.answerer.most(for: line.client, own: line.own) == line.most)
  }

  @Test func rootIsUnconfined() {
    #expect(Answerer.root.isRoot)
    #expect(!Answerer.alice.isRoot)
    let contained = ClientIdentity(userID: 0, realm: .container("box"))
    #expect(!Answerer(contained, standing: .inCharge).isRoot)
    #expect(!Answerer(contained, standing: .inCharge).isInCharge)
  }
}
