import Foundation
import Geodesy
import LocationDatabase
import LocationStore
import Positioning
import Testing
import WireFormats

/// Tiles from a server, and the answers of a provider, in the store.
@Suite struct FetchedTileTests {
  /// 2026-08-01T12:00:00 UTC.
  private static let time = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
  private static let home = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))
  private let key = TileKey(Self.home)

  private func place(_ number: UInt64, latitude: Double = 47.5, radius: Double = 20) throws -> AccessPointPosition {
    let coordinate = try #require(Coordinate(checkingLatitude: latitude, longitude: 8.5))
    let bssid = try #require(BSSID(rawValue: number))
    return AccessPointPosition(bssid: bssid, coordinate: coordinate, radius68: Meters(radius))
  }

  private func put(_ places: [AccessPointPosition], of key: TileKey, in store: borrowing AccessPointStore) throws {
    try store.note(key, askedAt: Self.time, places: places.count)
    try store.add(places, of: key)
  }

  @Test func whatWasFetchedIsFoundBehindWhatWasImported() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try AccessPointStore(stateFolder: folder.path)
      #expect(try store.isEmpty())
      try put([try place(7), try place(8)], of: key, in: store)
      try store.add([try place(8, latitude: 48), try place(9, latitude: 48)])
      #expect(try !store.isEmpty())
    }
    var store = try AccessPointStore(stateFolder: folder.path)
    let bssids = try [7, 8, 9, 10].map { try #require(BSSID(rawValue: $0)) }
    let latitudes = try bssids.map { try store.place(of: $0)?.coordinate.latitude.degrees }
    #expect(latitudes == [47.5, 48, 48, nil])
    #expect(try store.counts() == (0, 2, 2) && store.tileCount() == 1)
    #expect(try store.places(of: .fetched, after: bssids[0], limit: 9) == [try place(8)])
    try store.forgetFetched()
    #expect(try store.counts() == (0, 2, 0) && store.use([key]) == [] && store.tileCount() == 0)
  }

  @Test func notesOfTiles() throws {
    let folder = try TemporaryFolder()
    let store = try AccessPointStore(stateFolder: folder.path)
    let other = key.neighbours[0]
    try store.note(key, askedAt: Self.time, places: 3)
    try store.note(other, askedAt: nil, places: nil)
    #expect(
      try store.use([key, other, key.neighbours[1]]) == [
        TileFetchRecord(key: key, askedAt: Self.time, isMissing: false),
        TileFetchRecord(key: other, askedAt: nil, isMissing: true),
      ])
    try store.note(key, askedAt: nil, places: nil)
    #expect(try store.use([key]) == [TileFetchRecord(key: key, askedAt: nil, isMissing: true)])
    for (row, column) in [(0, 0), (3999, 6), (2000, 8015)] {
      let corner = try #require(TileKey(row: row, column: column))
      try store.note(corner, askedAt: nil, places: 1)
      #expect(try store.use([corner]).map(\.key) == [corner])
    }
  }

  /// The least recently used tile is removed first, in batches; the most recently used ones stay, whatever their size.
  @Test func theLeastUsedGoesFirst() throws {
    let folder = try TemporaryFolder()
    let store = try AccessPointStore(stateFolder: folder.path)
    let keys = [key] + key.neighbours.prefix(3)
    for (index, key) in keys.enumerated() {
      try put(try (0..<10).map { try place(UInt64(index * 100 + $0)) }, of: key, in: store)
      _ = try store.use([key])
    }
    _ = try store.use([keys[0]])
    #expect(try store.leastUsedTile(beyond: 40) == nil)
    #expect(try store.leastUsedTile(beyond: 39) == keys[1])
    var parts: [Int] = []
    repeat { parts.append(try store.removePlaces(of: keys[1], limit: 4)) } while parts.last == 4
    #expect(parts == [4, 4, 2])
    try store.forget(keys[1])
    #expect(try store.counts().fetched == 30 && store.leastUsedTile(beyond: 25) == keys[2])
    _ = try store.use(keys)
    #expect(try store.leastUsedTile(beyond: 1) == nil)
  }

  @Test func answersAreKept() throws {
    let folder = try TemporaryFolder()
    let bssids = try [7, 0xFFFF_FFFF_FFFE, 9].map { try #require(BSSID(rawValue: $0)) }
    let answers = [
      CachedGeolocation(
        bssids: bssids, answer: .place(Self.home, radius68: Meters(89.5)), answeredAt: Self.time),
      CachedGeolocation(bssids: Array(bssids[..<2]), answer: .notFound, answeredAt: Self.time + .seconds(5)),
    ]
    do {
      let store = try AccessPointStore(stateFolder: folder.path)
      for answer in answers { try store.keep(answer, limit: 10) }
      try store.keep(CachedGeolocation(bssids: bssids, answer: .notFound, answeredAt: nil), limit: 10)
    }
    let store = try AccessPointStore(stateFolder: folder.path)
    #expect(try store.answers(limit: 10) == answers)
    #expect(try store.answers(limit: 1) == [answers[1]])
    for second in 0..<20 {
      try store.keep(
        CachedGeolocation(bssids: bssids, answer: .notFound, answeredAt: Self.time + .seconds(second)), limit: 10)
    }
    #expect(try store.answers(limit: 100).map(\.answeredAt) == (10..<20).map { Self.time + .seconds($0) })
    try store.forgetFetched()
    #expect(try store.answers(limit: 10) == [])
  }

  /// A file from a version without tiles keeps its content.
  @Test func aFileOfTheFirstVersion() throws {
    let folder = try TemporaryFolder()
    do {
      let database = try Database(
        path: folder.path + "/wifi.sqlite",
        migrations: [
          """
          CREATE TABLE learned (bssid INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
          CREATE TABLE imported (
            bssid INTEGER PRIMARY KEY, latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, radius68_dm INTEGER NOT NULL
          ) STRICT
          """
        ])
      try database.run("INSERT INTO imported VALUES (7, 475000000, 85000000, 200)")
      try database.run("INSERT INTO learned VALUES (8, x'010203')")
    }
    var store = try AccessPointStore(stateFolder: folder.path)
    #expect(store.setAside == nil)
    let (first, second) = (try #require(BSSID(rawValue: 7)), try #require(BSSID(rawValue: 8)))
    #expect(try store.place(of: first) == place(7))
    #expect(try store.record(of: second) == [1, 2, 3])
    try put([try place(9)], of: key, in: store)
    #expect(try store.counts() == (1, 1, 1))
  }
}
