import Foundation
import Geodesy
import LocationDatabase
import LocationIPC
import LocationStore
import LocationdHost
import Positioning
import Testing
import WireFormats

/// Learned access points are kept after the program's end.
@Suite struct AccessPointDatabaseTests {
  private struct Folder: ~Copyable {
    let path = NSTemporaryDirectory() + "places-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// 2026-08-01T12:00:00 UTC.
  private static let start = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
  /// The position of a router: 47.5° N 8.5° E.
  private static let home = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))

  private static func at(_ second: Int) -> Instant { Instant(nanoseconds: Int64(second + 1000) * 1_000_000_000) }

  private static func fix(_ second: Int, _ coordinate: Coordinate) -> PositionFix {
    var fix = PositionFix(
      time: start + .seconds(second), timeValidity: .confirmed, receivedAt: at(second), coordinate: coordinate,
      horizontalRadius68: Meters(4), kind: .threeDimensional, technologies: .gnss)
    fix.speedMetersPerSecond = 1.4
    return fix
  }

  private static func sighting(_ bssid: BSSID, _ second: Int, signal: Double = -60) -> AccessPointObservation {
    AccessPointObservation(
      bssid: bssid, signalDecibelMilliwatts: signal, frequencyMegahertz: 2437, receivedAt: at(second))
  }

  /// A walk of 60 m past the router, with one fix per second and one scan every five seconds.
  private func walk(_ knowledge: AccessPointDatabase, past bssid: BSSID) {
    for second in 0..<60 {
      let coordinate = Coordinate(
        latitude: Self.home.latitude, longitude: Angle(degrees: 8.5 + Double(second - 30) / 75_200))
      knowledge.learn(Self.fix(second, coordinate), at: Self.at(second))
      if second % 5 == 0 {
        let signal = -50 - Double(abs(second - 30)) / 2
        knowledge.learn([Self.sighting(bssid, second, signal: signal)], at: Self.at(second))
      }
    }
  }

  @Test func aWalkTeachesAndIsKept() throws {
    let folder = Folder()
    let bssid = try #require(BSSID("00:01:e3:0a:f6:33"))
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    #expect(knowledge.isEmpty)
    walk(knowledge, past: bssid)
    #expect(!knowledge.isEmpty)
    knowledge.close()
    #expect(knowledge.problem == nil)
    // Another program, or the same one on the next day.
    let later = AccessPointDatabase(stateFolder: folder.path)
    #expect(later.account == WiFiAccount(learned: 1, imported: 0))
    let place = try #require(later.places(of: [Self.sighting(bssid, 100)]).first)
    let error = Geodesic.inverse(from: place.coordinate, to: Self.home).distance
    #expect(error.value < 15, "\(error.value) m")
    guard case .places(let known, next: nil) = later.page(of: .learned, after: nil) else {
      Issue.record("no list")
      return
    }
    #expect(known.map(\.place.bssid) == [bssid])
    later.forget(.learned)
    #expect(later.isEmpty && later.places(of: [Self.sighting(bssid, 100)]).isEmpty)
  }

  /// A receiver on the machine gives a better position than an imported list.
  @Test func learnedPositionsTakePrecedence() throws {
    let folder = Folder()
    let bssid = try #require(BSSID("00:01:e3:0a:f6:33"))
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    let far = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 2))
    knowledge.add([AccessPointPosition(bssid: bssid, coordinate: far, radius68: Meters(40))])
    #expect(knowledge.places(of: [Self.sighting(bssid, 0)]).first?.coordinate.latitude.degrees == 46)
    walk(knowledge, past: bssid)
    let latitude = try #require(knowledge.places(of: [Self.sighting(bssid, 100)]).first).coordinate.latitude.degrees
    #expect(abs(latitude - 47.5) < 0.001)
    knowledge.forget(.learned)
    #expect(knowledge.places(of: [Self.sighting(bssid, 0)]).first?.coordinate.latitude.degrees == 46)
  }

  /// Reading does not create a store: a command that only reads leaves no file behind.
  @Test func readingCreatesNoStore() throws {
    let folder = Folder()
    let bssid = try #require(BSSID("00:01:e3:0a:f6:33"))
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    #expect(knowledge.places(of: [Self.sighting(bssid, 0)]).isEmpty)
    #expect(knowledge.account == WiFiAccount(learned: 0, imported: 0))
    knowledge.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func aFolderThatCannotBeIsReported() throws {
    let bssid = try #require(BSSID("00:01:e3:0a:f6:33"))
    let knowledge = AccessPointDatabase(stateFolder: "/dev/null/places")
    knowledge.add([AccessPointPosition(bssid: bssid, coordinate: Self.home, radius68: Meters(40))])
    #expect(knowledge.problem != nil)
  }

  /// Many entries without a usable position, like the random addresses of phones, do not hide those after them.
  @Test func pagesPassOverWhatCannotBeReliedOn() throws {
    let folder = Folder()
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    let store = try AccessPointStore(stateFolder: folder.path)
    let limit = MessageLimits.accessPoints
    try store.keep(
      (0..<UInt64(limit)).compactMap {
        BSSID(rawValue: 0x0200_0000_0000 + $0).map { ($0, [UInt8](repeating: 0, count: 3)) }
      })
    let behind = try #require(BSSID("fc:01:e3:0a:f6:33"))
    walk(knowledge, past: behind)
    guard case .places(let none, let next?) = knowledge.page(of: .learned, after: nil) else {
      Issue.record("the end")
      return
    }
    #expect(none.isEmpty)
    #expect(Self.known(knowledge.page(of: .learned, after: next)).map(\.place.bssid) == [behind])
  }

  private static func known(_ answer: WiFiAnswer) -> [KnownAccessPoint] {
    if case .places(let known, _) = answer { known } else { [] }
  }

  @Test func accessPointsThatOptOutAreDeleted() throws {
    let folder = Folder()
    let (learned, imported) = (try #require(BSSID("00:01:e3:0a:f6:33")), try #require(BSSID("00:01:e3:0a:f6:34")))
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    walk(knowledge, past: learned)
    knowledge.add([AccessPointPosition(bssid: imported, coordinate: Self.home, radius68: Meters(40))])
    knowledge.save()
    #expect(knowledge.account == WiFiAccount(learned: 1, imported: 1))
    knowledge.leaveOut([learned, imported])
    #expect(knowledge.account == WiFiAccount(learned: 0, imported: 0))
    #expect(knowledge.places(of: [Self.sighting(learned, 100), Self.sighting(imported, 100)]).isEmpty)
  }

  /// A file that turns out to be damaged is set aside when that is detected, and what was to be forgotten is removed with it.
  @Test func damageIsSetAside() throws {
    let folder = Folder()
    let knowledge = AccessPointDatabase(stateFolder: folder.path)
    let places = (0..<UInt64(20_000)).compactMap { BSSID(rawValue: 0x0001_E300_0000 + $0) }.map {
      AccessPointPosition(bssid: $0, coordinate: Self.home, radius68: Meters(40))
    }
    knowledge.add(places)
    knowledge.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: knowledge.path))
    try file.seek(toOffset: 40_960)
    try file.write(contentsOf: Data(repeating: 0, count: 400_000))
    try file.close()
    _ = knowledge.account
    #expect(knowledge.problem?.isDamage == true)
    #expect(knowledge.account == WiFiAccount(learned: 0, imported: 0) && knowledge.problem == nil)
    knowledge.add(places)
    #expect(knowledge.account.imported == places.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains("damaged") })
    knowledge.forget(.imported)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains("damaged") })
  }
}
