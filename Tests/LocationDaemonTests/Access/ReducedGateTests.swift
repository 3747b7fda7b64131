import Foundation
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdServer
import LocationdService
import Testing

/// Reduced positions: always on the same grid, or none at all.
struct ReducedGateTests {
  private var bed = GateBed()

  private mutating func begin(_ place: ReducedPositionState? = nil) {
    _ = bed.handle(.loaded([], isOn: true, place))
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: true), for: 1001)
    _ = bed.ask(2, stream(1))
  }

  private func position(_ event: ServiceEvent?) -> PositionFix? {
    if case .update(_, let fix, _)? = event { fix } else { nil }
  }

  @Test mutating func aRestartReportsTheSame() throws {
    begin()
    let before = try #require(position(bed.update(2, 1)))
    let place = try #require(bed.gate.reducedPlace)
    #expect(place.point == before.coordinate)
    bed = GateBed()
    begin(place)
    // Far away, but within a quarter of an hour.
    #expect(position(bed.update(2, 1, north: 20_000)) == before)
    #expect(bed.gate.reducedPlace == place)
  }

  @Test mutating func withoutAGridWhoMayKnowRoughlyIsRefusedAndOthersAreNot() {
    bed.gate = AccessGate(key: nil)
    begin()
    #expect(bed.ask(2, locate(2)) == [failed(2, 2, .noGrid)])
    #expect(bed.update(2, 1) == nil)
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    #expect(bed.ask(2, locate(3)).contains(.pass(ClientID.process(2), locate(3))))
    // Pending requests fail when only reduced accuracy is left.
    #expect(bed.decide(.whenInUse(isReduced: true), for: 1001).contains(failed(2, 3, .noGrid)))
    _ = bed.handle(.keyed(low: GateBed.key.low, high: GateBed.key.high))
    #expect(bed.ask(2, locate(4)).contains(.pass(ClientID.process(2), locate(4))))
  }

  /// It asks for no more, as a program that wants the city.
  @Test mutating func aClientThatTakesOnlyReducedPositionsGetsNoOthers() throws {
    for privilege in [ClientPrivilege.entitled, .asks] {
      var client = AuthorizationClient(
        ClientIdentity(userID: 1001), privilege: privilege, presence: .inUse, usage: DeclaredUsage(), name: "city")
      client.takesOnlyReduced = true
      _ = bed.handle(.arrived(.process(3), client))
      bed.decide(.always(isReduced: false), for: 1001)
      _ = bed.ask(3, stream(1))
      let place = try #require(position(bed.update(3, 1)))
      #expect(place.coordinate == bed.gate.reducedPlace?.point)
      _ = bed.handle(.left(.process(3)))
    }
    // The same user's other programs are not affected.
    bed.arrive(4, user: 1001, .asks)
    _ = bed.ask(4, stream(1))
    #expect(position(bed.update(4, 1))?.coordinate != bed.gate.reducedPlace?.point)
  }

  // MARK: The key

  @Test func itIsMadeOnceAndKept() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    let first = try GridKey.load(from: state)
    let again = try GridKey.load(from: state)
    #expect(again.low == first.low && again.high == first.high)
    #expect(try Data(contentsOf: URL(fileURLWithPath: state + "/grid-key")).count == 16)
    let attributes = try FileManager.default.attributesOfItem(atPath: state + "/grid-key")
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(try GridKey.load(from: nil).low != first.low)
  }

  @Test(arguments: [0, 15, 17, 1000]) func aDamagedOneIsNoAbsentOne(size: Int) throws {
    let place = try TemporaryFolder()
    let (path, content) = (place.path + "/grid-key", Data(repeating: 7, count: size))
    try content.write(to: URL(fileURLWithPath: path))
    #expect(throws: GridKey.Problem.self) { _ = try GridKey.load(from: place.path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
  }

  @Test func oneThatCannotBeReadOrKeptIsInvalid() throws {
    let place = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: place.path + "/grid-key", withIntermediateDirectories: false)
    #expect(throws: GridKey.Problem.self) { _ = try GridKey.load(from: place.path) }
    #expect(throws: GridKey.Problem.self) { _ = try GridKey.load(from: "/proc/self/state") }
  }
}
