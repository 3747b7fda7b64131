import Foundation
import Geodesy
import LocationDatabase
import LocationPolicy
import LocationStore
import TestSupport
import Testing

@Suite struct GrantStoreTests {
  private let realms: [ClientIdentity.Realm] = [
    .own, .flatpak("org.gnome.Maps"), .snap("firefox"), .service("weather.service"), .container("docker-1234"),
    .container(""), .flatpak("'); DROP TABLE grants;--"),
  ]

  /// One grant of each kind, with no and with all values known.
  private var grants: [Grant] {
    var full = GrantRecord(.always, isReduced: true)
    full.isProvisional = true
    full.hasAskedAlways = true
    full.declaredAlways = true
    full.declaredWhenInUse = true
    full.purpose = "to show the weather 🌦"
    full.name = "weather"
    full.decidedAt = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_001)
    full.usedAt = GNSSTime(nanosecondsSince1970: -1)
    full.usedInBackgroundAt = GNSSTime(nanosecondsSince1970: .max)
    let records = [full] + AuthorizationLevel.allCases.map { GrantRecord($0) }
    return realms.enumerated().map { index, realm in
      Grant(ClientIdentity(userID: index == 0 ? .max : 1000, realm: realm), records[index % records.count])
    }
  }

  @Test func decisionsSurviveARestart() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    do {
      let store = try GrantStore(stateFolder: state)
      #expect(try store.grants().isEmpty)
      #expect(try store.isOn())
      try store.keep(grants.map { .grant($0.identity, $0.record) } + [.switched(isOn: false)])
    }
    do {
      let store = try GrantStore(stateFolder: state)
      #expect(Set(try store.grants()) == Set(grants))
      #expect(try store.isOn() == false)
      // Another decision replaces the first, and a forgotten one is removed.
      let changed = Grant(grants[1].identity, GrantRecord(.denied))
      try store.keep([.grant(changed.identity, changed.record), .grant(grants[2].identity, nil), .switched(isOn: true)])
    }
    let store = try GrantStore(stateFolder: state)
    #expect(try store.grants().count == grants.count - 1)
    #expect(try store.grants().contains { $0.identity == grants[1].identity && $0.record == GrantRecord(.denied) })
    #expect(try store.isOn())
  }

  @Test func reducedPositionsSurviveARestart() throws {
    let place = try TemporaryFolder()
    #expect(try GrantStore(stateFolder: place.path).reducedPlace() == nil)
    for longitude in [-179.25, 8.5625] {
      let point = Coordinate(latitude: Angle(degrees: 47.3125), longitude: Angle(degrees: longitude))
      let reported = ReducedPositionState(
        point: point, radius68: Meters(4300), time: GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_001))
      try GrantStore(stateFolder: place.path).keep([.reduced(reported)])
      #expect(try GrantStore(stateFolder: place.path).reducedPlace() == reported)
      #expect(try StoredGrants.load(stateFolder: place.path) == .whole([], isOn: true, reported))
    }
  }

  @Test func otherUsersCannotReadIt() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    try GrantStore(stateFolder: state).keep([.switched(isOn: true)])
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(state)/\(GrantStore.fileName)")
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  /// An invalid row is not a grant; a damaged file gives no permission.
  @Test func whatMakesNoSenseIsNoGrant() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    do {
      let database = try Database(path: "\(state)/\(GrantStore.fileName)", migrations: [])
      _ = consume database
      let store = try GrantStore(stateFolder: state)
      try store.keep([.grant(ClientIdentity(userID: 1000), GrantRecord(.always))])
    }
    do {
      let database = try Database(path: "\(state)/\(GrantStore.fileName)", migrations: ["", ""])
      for (user, realm, level) in [(-1, "", 4), (1 << 40, "", 4), (1, "tablet:x", 4), (2, "", 9), (3, "flatpak:", 4)] {
        try database.run(
          "INSERT INTO grants VALUES (?, ?, ?, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL)",
          [.integer(Int64(user)), .text(realm), .integer(Int64(level))])
      }
    }
    #expect(try GrantStore(stateFolder: state).grants().map(\.identity) == [ClientIdentity(userID: 1000)])
    try Data("no database at all, but long enough to be taken for one".utf8).write(
      to: URL(fileURLWithPath: "\(state)/\(GrantStore.fileName)"))
    let store = try GrantStore(stateFolder: state)
    #expect(store.setAside?.hasSuffix(".damaged-1") == true)
    #expect(try store.grants().isEmpty)
  }
}
