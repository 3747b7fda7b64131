import Foundation
import Geodesy
import LocationStore
import Positioning
import Testing
import WireFormats

@Suite struct AccessPointStoreTests {
  private func bssid(_ number: UInt64) throws -> BSSID { try #require(BSSID(rawValue: number)) }

  private func place(_ number: UInt64, latitude: Double = 47.5, radius: Double = 20) throws -> AccessPointPosition {
    let coordinate = try #require(Coordinate(checkingLatitude: latitude, longitude: -179.999_999_9))
    return AccessPointPosition(bssid: try bssid(number), coordinate: coordinate, radius68: Meters(radius))
  }

  @Test func storedRecordsAreFound() throws {
    let folder = try TemporaryFolder()
    do {
      var store = try AccessPointStore(stateFolder: folder.path)
      try store.keep([(bssid(7), [1, 2, 3]), (bssid(8), [])])
      try store.add([place(7), place(0xFFFF_FFFF_FFFF, latitude: -90)])
      #expect(try store.record(of: bssid(8)) == [])
      #expect(try store.record(of: bssid(9)) == nil)
    }
    var store = try AccessPointStore(stateFolder: folder.path)
    #expect(store.setAside == nil)
    #expect(try store.record(of: bssid(7)) == [1, 2, 3])
    #expect(try store.place(of: bssid(7)) == place(7))
    #expect(try store.place(of: bssid(0xFFFF_FFFF_FFFF)) == place(0xFFFF_FFFF_FFFF, latitude: -90))
    #expect(try store.place(of: bssid(8)) == nil)
    let counts = try store.counts()
    #expect(counts.learned == 2 && counts.imported == 2)
  }

  @Test func theLastWordCounts() throws {
    let folder = try TemporaryFolder()
    var store = try AccessPointStore(stateFolder: folder.path)
    try store.keep([(bssid(1), [1]), (bssid(2), [2])])
    try store.keep([(bssid(1), nil), (bssid(2), [3])])
    #expect(try store.record(of: bssid(1)) == nil)
    #expect(try store.record(of: bssid(2)) == [3])
    try store.add([place(1)])
    try store.add([place(1, latitude: 48, radius: 30)])
    #expect(try store.place(of: bssid(1)) == place(1, latitude: 48, radius: 30))
    try store.forgetLearned()
    #expect(try store.record(of: bssid(2)) == nil)
    #expect(try store.counts() == (0, 1, 0))
    try store.forgetImported()
    #expect(try store.counts() == (0, 0, 0))
  }

  @Test func itIsReadInParts() throws {
    let folder = try TemporaryFolder()
    let store = try AccessPointStore(stateFolder: folder.path)
    try store.add(try (0..<10).map { try place(10 * $0 + 1) })
    try store.keep(try (0..<10).map { (try bssid(10 * $0 + 1), [UInt8($0)]) })
    var found: [UInt64] = []
    var last: BSSID?
    while let next = try store.places(after: last, limit: 3).last {
      found += try store.places(after: last, limit: 3).map(\.bssid.rawValue)
      last = next.bssid
    }
    #expect(found == (0..<10).map { 10 * $0 + 1 })
    #expect(try store.records(after: bssid(81), limit: 100).map(\.bytes) == [[9]])
  }

  /// The file shows where its owner was, so that only the owner may read it.
  @Test func itIsItsOwnersAlone() throws {
    let folder = try TemporaryFolder()
    let store = try AccessPointStore(stateFolder: folder.path)
    try store.keep([(bssid(1), [1])])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let rights = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
      #expect(rights as? Int == 0o600, "\(name)")
    }
  }

  @Test func aDamagedOneIsSetAside() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/" + AccessPointStore.fileName
    try Data("this is no database, and never was one".utf8).write(to: URL(fileURLWithPath: path))
    let store = try AccessPointStore(stateFolder: folder.path)
    #expect(store.setAside == path + ".damaged-1")
    #expect(try store.counts() == (0, 0, 0))
  }
}
