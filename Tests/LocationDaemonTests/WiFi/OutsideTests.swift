import Foundation
import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import LocationdHost
import Positioning
import TestSupport
import Testing
import WireFormats

/// A provider and a server of tiles on this machine, asked by the real fetcher, with the results in a real store.
@Suite(.enabled(if: StandInServer.isPossible, "there is no Python, or no libcurl")) struct OutsideTests {
  private static let home = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))
  private static let program = HelperProgram(
    path: HelperProcess.folder + "/locationd", name: "locationd", arguments: [FetchLink.argument])

  /// A loop with a fetcher and a separate store.
  private final class Bench: OutsideObserver {
    let loop: EventLoop
    /// Evaluated whenever a tile request has a result.
    private var isDone: () -> Bool = { false }
    let knowledge: AccessPointDatabase
    let folder = NSTemporaryDirectory() + "outside-" + UUID().uuidString

    init() throws {
      loop = try EventLoop()
      knowledge = AccessPointDatabase(stateFolder: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func link() -> FetchLink { FetchLink(loop: loop, path: "/nonexistent/fetch", program: OutsideTests.program) }

    func provider(_ text: String) throws -> GeolocationProvider {
      let address = try #require(WebAddress(text))
      return GeolocationProvider(loop: loop, knowledge: knowledge, address: address, link: link(), observer: self)
    }

    func tiles(_ text: String, most: Int? = nil) throws -> RemoteTileSource {
      let source = try #require(TileSource(text))
      return RemoteTileSource(
        loop: loop, knowledge: knowledge, source: source, link: link(), most: most, observer: self)
    }

    /// Runs until `isDone`, which is called for each result.
    func run(_ tiles: RemoteTileSource, until isDone: @escaping () -> Bool) throws {
      let guardTimer = loop.schedule(at: loop.now + .seconds(60)) { [loop] in
        Issue.record("nothing came")
        loop.stop()
      }
      self.isDone = isDone
      if !isDone() { try loop.run() }
      loop.cancel(guardTimer)
    }

    func providerAnswered() { loop.stop() }
    func tileStored() { if isDone() { loop.stop() } }
    func tileReplied() { if isDone() { loop.stop() } }
  }

  private static func observations(_ numbers: Range<UInt64>, at now: Instant) -> [AccessPointObservation] {
    numbers.compactMap { number in
      BSSID(rawValue: 0x0001_e300_0000 + number).map {
        AccessPointObservation(bssid: $0, signalDecibelMilliwatts: -50, frequencyMegahertz: 2437, receivedAt: now)
      }
    }
  }

  // MARK: - A provider

  /// The provider is asked once, also by the next process; the position in its answer is that of this machine, and nothing is
  /// learned from it.
  @Test func oneQuestionForAPlace() throws {
    let server = try StandInServer()
    let bench = try Bench()
    do {
      let provider = try bench.provider(server.address("/found"))
      let received = Self.observations(0..<5, at: bench.loop.now)
      #expect(provider.position(of: received) == nil && !provider.isAsking)
      provider.ask(received)
      #expect(provider.isAsking)
      // Asked again while the first request is pending.
      provider.ask(received)
      try bench.loop.run()
      let position = try #require(provider.position(of: received))
      #expect(position.coordinate == Self.home && position.radius68 == Meters(80) && position.count == 5)
      #expect(!provider.isAsking && provider.standing.problem == nil)
      provider.ask(received)
      #expect(!provider.isAsking && server.count == 1)
    }
    bench.knowledge.close()
    let later = try bench.provider(server.address("/found"))
    let received = Self.observations(1..<6, at: bench.loop.now)
    #expect(later.position(of: received)?.coordinate == Self.home)
    later.ask(received)
    #expect(!later.isAsking && server.count == 1)
    #expect(bench.knowledge.account == WiFiAccount(learned: 0, imported: 0))
    #expect(bench.knowledge.places(of: received).isEmpty)
    // After the answer is forgotten, the provider is asked again.
    later.forget()
    bench.knowledge.forget(.fetched)
    #expect(later.position(of: received) == nil)
    later.ask(received)
    #expect(later.isAsking)
    try bench.loop.run()
    #expect(server.count == 2)
  }

  @Test func nothingFoundIsAnAnswer() throws {
    let server = try StandInServer()
    let bench = try Bench()
    let provider = try bench.provider(server.address("/not-found"))
    let received = Self.observations(0..<5, at: bench.loop.now)
    provider.ask(received)
    try bench.loop.run()
    #expect(provider.standing.problem == nil && provider.position(of: received) == nil)
    let later = try bench.provider(server.address("/found"))
    later.ask(received)
    #expect(!later.isAsking && server.count == 1)
  }

  @Test(arguments: [
    ("/too-often", FetchProblem.refused(status: 429)), ("/failing", .refused(status: 500)), ("/garbage", .nonsense),
    ("/page", .nonsense), ("/huge", .tooLong), ("/to-file", .redirected), ("/to-other", .redirected),
    ("/nowhere", .refused(status: 404)),
  ]) func failuresAreReportedAndLeftAlone(_ path: String, _ problem: FetchProblem) throws {
    let server = try StandInServer()
    let bench = try Bench()
    let provider = try bench.provider(server.address(path))
    let received = Self.observations(0..<5, at: bench.loop.now)
    provider.ask(received)
    try bench.loop.run()
    #expect(provider.standing == NetworkSourceStatus(name: "127.0.0.1:\(server.port)", problem: problem))
    #expect(provider.position(of: received) == nil)
    provider.ask(received)
    #expect(!provider.isAsking && server.count == 1)
    #expect(!FileManager.default.fileExists(atPath: bench.folder), "a failure is nothing to keep")
  }

  /// From the kernel's entries to the bytes on the wire: no network names, no access points that opt out, no random addresses.
  @Test func whatIsNeverSent() throws {
    let server = try StandInServer()
    let bench = try Bench()
    let provider = try bench.provider(server.address("/found"))
    let filter = AccessPointFilter(maximumAge: .seconds(30))
    var random = SplitMix64(seed: 11)
    var (secret, open): ([String], [String]) = ([], [])
    var observations: [AccessPointObservation] = []
    for number in 0..<300 {
      let name = "network-\(number)" + ["", "_nomap", "_NoMap", "_optout", "_optout_5G"][number % 5]
      let bssid = try #require(BSSID(rawValue: UInt64.random(in: 1..<1 << 48, using: &random)))
      var entry = AccessPointEntry(bssid: bssid)
      entry.isHidden = false
      entry.name = NetworkName(Array(name.utf8).span)
      entry.signal = .hundredthsOfDecibelMilliwatt(Int32.random(in: -9000 ... -3000, using: &random))
      entry.millisecondsAgo = 100
      secret.append(name)
      let mayBeSent = number % 5 == 0 && bssid.isIndividual && !bssid.isLocallyAdministered
      if mayBeSent { open.append(bssid.description) } else { secret.append(bssid.description) }
      if let detectedDevice = filter.observation(entry, at: bench.loop.now) { observations.append(detectedDevice) }
    }
    #expect(observations.contains { $0.bssid.isLocallyAdministered })
    provider.ask(observations)
    try bench.loop.run()
    let sent = String(decoding: server.received, as: UTF8.self).lowercased()
    #expect(secret.allSatisfy { !sent.contains($0.lowercased()) } && !sent.contains("network"))
    #expect(open.count { sent.contains($0) } == min(open.count, GeolocateRequest.mostCount) && open.count > 5)
  }

  // MARK: - Tiles

  private func serve(_ places: [AccessPointPosition], in key: TileKey, under folder: URL) throws {
    let file = folder.appendingPathComponent(key.path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let day = try #require(CalendarDate(daysSince1970: 20_000))
    try Data(try AccessPointTile.encode(places, in: key, on: day)).write(to: file)
  }

  private static func places(_ numbers: Range<UInt64>, at place: Coordinate = home) -> [AccessPointPosition] {
    numbers.compactMap { number in
      BSSID(rawValue: 0x0001_e300_0000 + number).map {
        AccessPointPosition(bssid: $0, coordinate: place, radius68: Meters(30))
      }
    }
  }

  /// From the network and from a folder: the tile and its neighbors, each requested once, in batches of a city's size.
  @Test(arguments: [true, false]) func theTilesOfAPlace(isWeb: Bool) throws {
    let server = try StandInServer()
    let bench = try Bench()
    let files = server.folder.appendingPathComponent("files")
    let key = TileKey(Self.home)
    try serve(Self.places(0..<3000), in: key, under: files)
    let beside = Coordinate(latitude: Angle(degrees: 47.53), longitude: Angle(degrees: 8.5))
    try #require(TileKey(beside) != key && key.neighbours.contains(TileKey(beside)))
    try serve(Self.places(5000..<5010, at: beside), in: TileKey(beside), under: files)
    let tiles = try bench.tiles(isWeb ? server.address("/") : files.path)
    tiles.note(Self.home)
    try bench.run(tiles) { tiles.isDone }
    #expect(bench.knowledge.account == WiFiAccount(learned: 0, imported: 0, fetched: 3010, tiles: 2))
    #expect(server.count == (isWeb ? 1 + key.neighbours.count : 0))
    let received = Self.observations(2990..<2995, at: bench.loop.now)
    #expect(bench.knowledge.places(of: received).count == 5)
    #expect(tiles.standing.problem == nil)
    // The next process requests none of them.
    bench.knowledge.close()
    let later = try bench.tiles(isWeb ? server.address("/") : files.path)
    later.note(Self.home)
    #expect(later.isDone)
    bench.knowledge.forget(.fetched)
    #expect(bench.knowledge.account == WiFiAccount(learned: 0, imported: 0))
  }

  /// The least recently used tile is removed first.
  @Test func noMoreThanFit() throws {
    let server = try StandInServer()
    let bench = try Bench()
    let files = server.folder.appendingPathComponent("files")
    let far = Coordinate(latitude: Angle(degrees: 40), longitude: Angle(degrees: 3))
    try serve(Self.places(0..<1200), in: TileKey(Self.home), under: files)
    try serve(Self.places(2000..<3200, at: far), in: TileKey(far), under: files)
    let tiles = try bench.tiles(files.path, most: 2000)
    tiles.note(Self.home)
    try bench.run(tiles) { tiles.isDone }
    #expect(bench.knowledge.account.fetched == 1200)
    tiles.note(far)
    try bench.run(tiles) { tiles.isDone }
    #expect(bench.knowledge.account == WiFiAccount(learned: 0, imported: 0, fetched: 1200, tiles: 1))
    #expect(bench.knowledge.places(of: Self.observations(2000..<2005, at: bench.loop.now)).count == 5)
  }

  /// A damaged tile, a wrong tile, and a file that is not a tile: each is counted and dropped, and nothing from it is used.
  @Test func badTiles() throws {
    let server = try StandInServer()
    let bench = try Bench()
    let files = server.folder.appendingPathComponent("files")
    let key = TileKey(Self.home)
    try serve(Self.places(0..<100), in: key, under: files)
    let file = files.appendingPathComponent(key.path)
    var bytes = try Data(contentsOf: file)
    bytes[40] ^= 1
    try bytes.write(to: file)
    let other = files.appendingPathComponent(key.neighbours[0].path)
    try FileManager.default.createDirectory(
      at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Array("<html>".utf8)).write(to: other)
    let tiles = try bench.tiles(server.address(""))
    tiles.note(Self.home)
    try bench.run(tiles) { server.count == 1 + key.neighbours.count }
    #expect(tiles.standing.badTiles == 2 && tiles.standing.problem == .badTile)
    #expect(bench.knowledge.account == WiFiAccount(learned: 0, imported: 0))
  }

  /// A server that fails, and a folder that does not exist: reported once, and nothing else breaks.
  @Test func noTiles() throws {
    let bench = try Bench()
    for (text, problem) in [
      ("/nonexistent/tiles", FetchProblem.unreadable(errno: ENOENT)), ("/dev/null", .unreadable(errno: ENOTDIR)),
      ("http://127.0.0.1:1", .noConnection),
    ] {
      let tiles = try bench.tiles(text)
      tiles.note(Self.home)
      try bench.run(tiles) { tiles.standing.problem != nil }
      #expect(tiles.standing.problem == problem && !tiles.isDone)
    }
  }

  // MARK: - Settings

  @Test func settings() throws {
    let off = NetworkLocationSettings(provider: nil, tiles: nil)
    #expect(off.provider == .off && off.tiles == .off)
    let address = try #require(WebAddress("https://api.beacondb.net/v1/geolocate"))
    let on = NetworkLocationSettings(provider: address.text, tiles: "/srv/tiles")
    #expect(on.provider == .on(address) && on.tiles == .on(.folder("/srv/tiles")))
    let bad = NetworkLocationSettings(provider: "file:///etc/passwd", tiles: "tiles")
    #expect(bad.provider == .bad && bad.tiles == .bad)
    let half = NetworkLocationSettings(provider: "beacondb", tiles: "http://a")
    #expect(half.provider == .bad && half.tiles != .bad)
  }
}
