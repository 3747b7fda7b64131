import LocationIPC
import LocationPolicy
import Testing

/// A log belongs to its owner: no other user except root can list it, read it, end it or continue it.
@Suite struct LogOwnerTests {
  private let alice = ClientIdentity(userID: 1001)
  private let bob = ClientIdentity(userID: 1002)
  private let root = ClientIdentity(userID: 0)
  private let done = ServiceEvent.done(RequestID(1))
  /// The answer if a name is in use by another user; no other answer reveals that another user's log exists.
  private let taken = ServiceEvent.failed(RequestID(1), .notAuthorized(.notOwner, identity: nil))

  private func unknown(_ name: String, _ known: [String] = []) -> ServiceEvent {
    .failed(RequestID(1), .log(.unknown(name: name, known: known)))
  }

  private var options: LogOptions {
    var options = LogOptions()
    options.keepsStandstill = true
    return options
  }

  private func names(_ bed: LogServiceBed, as user: ClientIdentity) -> [String] {
    guard case .log(_, .logs(let logs))? = bed.ask(.list, as: user) else { return ["no list"] }
    return logs.map(\.name)
  }

  @Test func otherUsersHaveNoAccess() {
    let bed = LogServiceBed()
    #expect(bed.ask(.start(name: "walk", options), as: alice) == done)
    #expect(bed.ask(.start(name: "ride", options), as: bob) == done)
    bed.drive(0..<20)
    #expect(names(bed, as: alice) == ["walk"])
    #expect(names(bed, as: bob) == ["ride"])
    #expect(names(bed, as: root) == ["ride", "walk"])
    let requests: [LogRequest] = [
      .stop(name: "walk"), .remove(name: "walk"), .read(name: "walk", from: nil, to: nil),
      .readSealed(name: "walk", from: nil, to: nil),
    ]
    for request in requests { #expect(bed.ask(request, as: bob) == unknown("walk", ["ride"])) }
    #expect(bed.ask(.start(name: "walk", options), as: bob) == taken)
    #expect(bed.logs.map(\.isRunning) == [true, true])
    // The failure for an unknown log does not mention other users' logs.
    #expect(bed.ask(.stop(name: "no"), as: bob) == unknown("no", ["ride"]))
  }

  @Test func rootEndsItAndItStaysItsOwners() {
    let bed = LogServiceBed()
    #expect(bed.ask(.start(name: "walk", options), as: alice) == done)
    #expect(bed.ask(.start(name: "walk", options), as: root) == done)
    #expect(names(bed, as: alice) == ["walk"])
    #expect(bed.ask(.stop(name: "walk"), as: root) == done)
    // Also after the service is restarted, and if the index is lost.
    bed.end()
    let next = LogServiceBed(bed.folder)
    next.begin()
    #expect(names(next, as: bob).isEmpty)
    #expect(next.ask(.start(name: "walk", options), as: alice) == done)
    next.drive(0..<20)
    next.end()
    for file in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] { try? bed.remove(file) }
    let last = LogServiceBed(bed.folder)
    last.begin()
    #expect(names(last, as: alice) == ["walk"])
    #expect(names(last, as: bob).isEmpty)
  }

  /// A sandboxed client has its own logs and no access to others; the user's programs without a sandbox have access to them. Root
  /// in a container is not root.
  @Test(arguments: [ClientIdentity.Realm.flatpak("org.gnome.Maps"), .snap("maps"), .container("")])
  func sandboxedClientsAreSeparateFromTheirUser(realm: ClientIdentity.Realm) {
    let bed = LogServiceBed()
    let confined = ClientIdentity(userID: 1001, realm: realm)
    #expect(bed.ask(.start(name: "walk", options), as: alice) == done)
    #expect(bed.ask(.start(name: "map", options), as: confined) == done)
    bed.drive(0..<20)
    #expect(names(bed, as: confined) == ["map"])
    #expect(names(bed, as: alice) == ["map", "walk"])
    for name in ["walk", "map"] {
      for stranger in [bob, ClientIdentity(userID: 1002, realm: realm), ClientIdentity(userID: 0, realm: realm)] {
        #expect(names(bed, as: stranger).isEmpty)
        #expect(bed.ask(.read(name: name, from: nil, to: nil), as: stranger) == unknown(name))
        #expect(bed.ask(.stop(name: name), as: stranger) == unknown(name))
      }
    }
    for request in [LogRequest.read(name: "walk", from: nil, to: nil), .stop(name: "walk"), .remove(name: "walk")] {
      #expect(bed.ask(request, as: confined) == unknown("walk", ["map"]))
    }
    // The same holds if the index is lost.
    bed.end()
    for file in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] { try? bed.remove(file) }
    let next = LogServiceBed(bed.folder)
    next.begin()
    #expect(names(next, as: confined) == ["map"])
    #expect(next.logs.map(\.owner) == [confined, alice])
  }

  @Test func oneWithoutAnOwnerIsTheServicesOwn() {
    let bed = LogServiceBed()
    #expect(bed.ask(.start(name: "old", options)) == done)
    #expect(names(bed, as: alice).isEmpty)
    #expect(names(bed, as: root) == ["old"])
  }
}
