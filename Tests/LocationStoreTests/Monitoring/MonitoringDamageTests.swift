import Foundation
import LocationDatabase
import LocationPolicy
import LocationStore
import Regions
import TestSupport
import Testing

@Suite struct MonitoringDamageTests {
  private func fill(_ folder: String) throws -> Monitored {
    var store = try MonitoringStore(stateFolder: folder)
    for list in someLists {
      let id = try store.made(list)
      try store.change(id, try (0..<20).map { .add(try testRegion("\($0)"), .inside) })
      try store.snapshot(id, store.load(id))
      try store.change(id, [.state("3", .outside), .remove("4"), .add(try testRegion("new"), .outside)])
      _ = try store.record([NewEvent(list: id, subject: .region("3"), body: Array(repeating: 7, count: 3000))])
    }
    return try Monitored(&store)
  }

  @Test(arguments: [Data(), Data("no database at all, but long enough to be taken for one".utf8), nil])
  func aLostDatabaseTakesNoFilesOfRegionsAlong(content: Data?) throws {
    let place = try TemporaryFolder()
    let last = try #require(try fill(place.path).events.last)
    let path = "\(place.path)/\(MonitoringStore.fileName)"
    if let content, !content.isEmpty {
      try content.write(to: URL(fileURLWithPath: path))
    } else {
      for ending in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: path + ending) }
      if let content { try content.write(to: URL(fileURLWithPath: path)) }
    }
    let isDamaged = content.map { !$0.isEmpty } ?? false
    do {
      let store = try MonitoringStore(stateFolder: place.path)
      #expect(store.setAside == (isDamaged ? path + ".damaged-1" : nil))
      #expect(try store.lists().isEmpty)
      #expect(
        try regionFiles(in: place.path) == ["regions-1-1.regions.damaged-1", "regions-2-1.regions.damaged-1"])
      let ids = try store.record([NewEvent(list: try store.made(), subject: .visits, body: [])])
      // Programs remember earlier events by their IDs.
      if isDamaged { #expect(ids[0] > last.id) }
    }
    var store = try MonitoringStore(stateFolder: place.path)
    #expect(store.setAside == nil)
    #expect(try regionFiles(in: place.path).count == 2)
    let list = try store.made()
    try store.change(list, [.add(try testRegion("a"), .inside)])
    try store.snapshot(list, store.load(list))
    #expect(try Array(store.regions(of: list).keys) == ["a"])
    try MonitoringStore.removeSetAside(in: place.path)
    #expect(try regionFiles(in: place.path) == ["regions-1-1.regions"])
    #expect(try Array(store.regions(of: list).keys) == ["a"])
  }

  /// Each page of the database is damaged in turn: the database opens with its content, or is created again.
  @Test func anyPageOfTheDatabaseMayBeDamaged() throws {
    let place = try TemporaryFolder()
    let whole = try fill(place.path + "/whole")
    let name = MonitoringStore.fileName
    let content = try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/whole/\(name)"))
    var lost = 0
    #expect(content.count / 4096 >= 10)
    for page in 0..<content.count / 4096 {
      try copyFiles(of: place.path + "/whole", to: place.path + "/copy")
      var damaged = content
      damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: 0x5A, count: 4096))
      try damaged.write(to: URL(fileURLWithPath: "\(place.path)/copy/\(name)"))
      var store = try MonitoringStore(stateFolder: place.path + "/copy")
      if store.setAside == nil {
        let found = try Monitored(&store)
        #expect(found.regions == whole.regions, "page \(page)")
      } else {
        lost += 1
        #expect(try store.lists().isEmpty)
        #expect(try regionFiles(in: place.path + "/copy").count == 2)
      }
    }
    #expect(lost > 5)
  }

  /// If a region file is damaged, truncated or missing, the changes since it was written stay.
  @Test func aDamagedFileOfRegionsIsSetAside() throws {
    let place = try TemporaryFolder()
    let whole = try fill(place.path + "/whole")
    let file = "regions-1-1.regions"
    let content = try Data(contentsOf: URL(fileURLWithPath: "\(place.path)/whole/\(file)"))
    for offset in stride(from: 0, to: content.count, by: 41) {
      for kind in ["changed", "cut", "gone"] where kind != "gone" || offset == 0 {
        let copy = place.path + "/copy"
        try copyFiles(of: place.path + "/whole", to: copy)
        var damaged = content
        if kind == "changed" { damaged[offset] ^= 1 } else { damaged = damaged.prefix(offset) }
        try damaged.write(to: URL(fileURLWithPath: "\(copy)/\(file)"))
        if kind == "gone" { try FileManager.default.removeItem(atPath: "\(copy)/\(file)") }
        do {
          var store = try MonitoringStore(stateFolder: copy)
          let lists = try store.lists().map(\.id)
          #expect(try store.regions(of: lists[1]) == whole.regions[lists[1]] && store.setAsideSnapshots.isEmpty)
          #expect(try Array(store.regions(of: lists[0]).keys) == ["new"])
          let name = "\(copy)/\(file)" + (kind == "gone" ? "" : ".damaged-1")
          #expect(store.setAsideSnapshots == [name])
          if kind != "gone" { #expect(try Data(contentsOf: URL(fileURLWithPath: name)) == damaged) }
        }
        var store = try MonitoringStore(stateFolder: copy)
        let list = try #require(try store.lists().first?.id)
        #expect(try Array(store.regions(of: list).keys) == ["new"] && store.setAsideSnapshots.isEmpty)
        try store.snapshot(list, store.load(list))
        #expect(try Array(store.regions(of: list).keys) == ["new"])
      }
    }
  }

  @Test func rowsThatMakeNoSenseSayNothing() throws {
    let place = try TemporaryFolder()
    let whole = try fill(place.path)
    do {
      let database = try Database(path: "\(place.path)/\(MonitoringStore.fileName)", migrations: ["", "", ""])
      for text in [
        "INSERT INTO lists (user_id, realm, name) VALUES (-1, '', 'x')",
        "INSERT INTO lists (user_id, realm, name) VALUES (1, 'nonsense', 'x')",
        "UPDATE lists SET wants_visits = 1",
        "INSERT INTO changes VALUES (1, 'no bytes', x'', 1, 1)",
        "INSERT INTO changes VALUES (1, 'noise', x'00FF', 1, 1)",
        "INSERT INTO changes SELECT 1, 'other name', definition, 1, 1 FROM changes WHERE list = 1 AND identifier = 'new'",
        "INSERT INTO changes VALUES (1, '5', NULL, 3, 1)", "INSERT INTO changes VALUES (1, '6', NULL, -1, 1)",
        "INSERT INTO changes VALUES (1, '7', x'00', 1, 1)", "INSERT INTO changes VALUES (1, 'none', NULL, 1, 1)",
        "INSERT INTO changes VALUES (1, CAST(x'FF' AS TEXT), NULL, NULL, 1)",
        "INSERT INTO events (list, kind, identifier, body, owed) VALUES (1, 3, '', x'', 1)",
        "INSERT INTO events (list, kind, identifier, body, owed) VALUES (1, 1, '', x'', 8)",
        "INSERT INTO launches VALUES (1, 0, '5', 'not a token', NULL, 0, NULL)",
        "INSERT INTO records VALUES (1, '5', 9, NULL)",
        "INSERT INTO visits (list, latitude, longitude, radius68_m) VALUES (1, 91, 0, 5)",
        "INSERT INTO visits (list, latitude, longitude, radius68_m) VALUES (1, 0, 0, -5)",
        "INSERT INTO visits (list, latitude, longitude, radius68_m) VALUES (1, 0, 0, 9e999)",
      ] { try database.run(text) }
    }
    var store = try MonitoringStore(stateFolder: place.path)
    #expect(try Monitored(&store) == whole)
    let list = try #require(try store.lists().first?.id)
    #expect(try store.launch(list, .region("5")).isEmpty)
  }
}
