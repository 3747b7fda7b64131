import Foundation
import LocationDatabase
import LocationPolicy
import LocationStore
import Regions
import Testing

@Suite struct MonitoringListTests {
  private let realms: [ClientIdentity.Realm] = [
    .own, .flatpak("org.gnome.Maps"), .snap("firefox"), .service("weather.service"), .container(""),
    .flatpak("'); DROP TABLE lists;--"),
  ]

  @Test func listsAreThereAfterARestartWhileTheyHaveAnything() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    let lists = realms.flatMap { realm in
      ["", "a program", String(repeating: "ä", count: 100)].map { name in
        MonitoringList(ClientIdentity(userID: .max, realm: realm), name: name)
      }
    }
    var ids: [MonitoringListID] = []
    do {
      let store = try MonitoringStore(stateFolder: state)
      #expect(try store.lists().isEmpty)
      #expect(try store.id(of: lists[0], making: false) == nil)
      for list in lists {
        let id = try store.made(list)
        try store.setVisits(id, true)
        ids.append(id)
      }
      #expect(Set(ids).count == lists.count)
      // A list that is created and never gets content.
      _ = try store.made()
    }
    let store = try MonitoringStore(stateFolder: state)
    #expect(try store.lists().map(\.list) == lists && store.lists().map(\.id) == ids)
    #expect(try store.id(of: lists[3], making: true) == ids[3])
    #expect(mode("\(state)/\(MonitoringStore.fileName)") == 0o600)
    // An ID is never used for another list.
    try store.remove(ids[ids.count - 1])
    #expect(try store.made(lists[ids.count - 1]) > ids[ids.count - 1])
  }

  @Test func thereAreOnlySoMany() throws {
    let place = try TemporaryFolder()
    let store = try MonitoringStore(stateFolder: place.path)
    func list(_ user: UInt32, _ number: Int) -> MonitoringList {
      MonitoringList(ClientIdentity(userID: user, realm: .own), name: "\(number)")
    }
    for user in 0..<4 as Range<UInt32> {
      for number in 0..<64 { _ = try store.made(list(user, number)) }
      if user == 3 { break }
      #expect(throws: MonitoringStoreError.listsOfIdentity(list(user, 0).identity, most: 64)) {
        try store.id(of: list(user, 64), making: true)
      }
    }
    #expect(throws: MonitoringStoreError.lists(most: 256)) { try store.id(of: list(9, 0), making: true) }
    #expect(try store.id(of: list(0, 0), making: true) != nil)
    #expect(throws: MonitoringStoreError.name(length: 201, most: 200)) {
      try store.id(
        of: MonitoringList(list(0, 0).identity, name: String(repeating: "x", count: 201)), making: false)
    }
  }

  @Test func aListGoesWithTheLastOfWhatIsMonitored() throws {
    let place = try TemporaryFolder()
    var store = try MonitoringStore(stateFolder: place.path)
    let list = try store.made()
    try store.keepProgress(list, "key", [1])
    try store.setVisits(list, true)
    #expect(try !store.removeIfEmpty(list, regions: 0))
    try store.setVisits(list, false)
    try store.setSignificant(list, true)
    #expect(try !store.removeIfEmpty(list, regions: 0))
    try store.setSignificant(list, false)
    let ids = try store.record([NewEvent(list: list, subject: .visits, body: [])])
    #expect(try !store.removeIfEmpty(list, regions: 0))
    try store.done(ids, .programs)
    #expect(try !store.removeIfEmpty(list, regions: 1))
    try store.snapshot(list, store.load(list))
    #expect(try regionFiles(in: place.path).count == 1)
    #expect(try store.removeIfEmpty(list, regions: 0))
    #expect(try store.lists().isEmpty && regionFiles(in: place.path).isEmpty)
    #expect(try store.progress(list, "key") == nil)
    #expect(throws: DatabaseError.self) { try store.change(list, [.removeAll]) }
    #expect(throws: DatabaseError.self) { try store.setVisits(list, true) }
    #expect(throws: DatabaseError.self) { try store.keepProgress(list, "key", [1]) }
  }

  @Test func requestsAndLaunchesComeBack() throws {
    let place = try TemporaryFolder()
    let tokens = (0..<4).map { _ in CommandToken.random() }
    let launches = [
      MonitoringLaunch(onEntry: tokens[0]), MonitoringLaunch(onExit: tokens[1], isShown: true),
      MonitoringLaunch(onEntry: tokens[2], onExit: tokens[3]), MonitoringLaunch(isShown: true),
    ]
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      let (one, two) = (try store.made(), try store.made(someLists[1]))
      try store.setVisits(one, true, launches[0])
      try store.setSignificant(two, true, launches[1])
      for (list, launch) in [(one, launches[2]), (two, launches[3])] {
        try store.change(list, [.add(try testRegion("a"), .unknown, launch), .add(try testRegion("b"), .unknown)])
      }
    }
    let store = try MonitoringStore(stateFolder: place.path)
    let (one, two) = (try store.made(), try store.made(someLists[1]))
    #expect(try store.requestedUses(of: one) == (true, false) && store.requestedUses(of: two) == (false, true))
    #expect(try store.launch(one, .visits) == launches[0] && store.launch(two, .significantChanges) == launches[1])
    #expect(try store.launch(one, .region("a")) == launches[2] && store.launch(two, .region("a")) == launches[3])
    #expect(try store.launch(one, .region("b")).isEmpty && store.launch(one, .significantChanges).isEmpty)
    // Commands are removed with the request to which they belong, and by a new request for it.
    try store.setVisits(one, false, launches[0])
    try store.change(one, [.add(try testRegion("a"), .inside)])
    try store.change(two, [.remove("a")])
    #expect(try store.launch(one, .visits).isEmpty && store.requestedUses(of: one) == (false, false))
    #expect(try store.launch(one, .region("a")).isEmpty && store.launch(two, .region("a")).isEmpty)
    try store.change(two, [.add(try testRegion("a"), .inside, launches[0]), .removeAll])
    #expect(try store.launch(two, .region("a")).isEmpty)
    #expect(try store.launch(two, .significantChanges) == launches[1])
  }
}
