import CAllocationCounter
import Geodesy
import LocationReplay
import Positioning
import TestSupport
import WireFormats

/// The access points of a real city as tiles, and positions of simulated drives among them; the seeds are not those that were
/// used for tuning.
func wifiBenchmark(seed: UInt64) -> Int32 {
  guard let places = try? CityAccessPoints.places(), let tiles = try? CityAccessPoints.tiles(), !places.isEmpty,
    let day = CalendarDate(daysSince1970: 20_000)
  else {
    print("cannot read wifi/city_access_points.csv")
    return 66
  }
  guard tileFigures(tiles, on: day) else { return 65 }
  drives("learnt places", WiFiDrives(places, .learned, seeds: [seed, seed + 10_000, seed + 20_000]))
  let noisy = WiFiDrives(places, .noisy, seeds: [seed])
  drives("places off by 25 m", noisy)
  drives("places with common errors of 15 m, 5 % moved", WiFiDrives(places, .common, seeds: [seed]))
  recorded()
  cost(noisy.questions)
  learningCost(places)
  return 0
}

private func recorded() {
  guard let folder = RecordedDrive.folder, let scans = RecordedScans(path: "\(folder)/wifi/recorded_scans.csv") else {
    return
  }
  scans.write()
}

private func tileFigures(_ tiles: [(key: TileKey, places: [AccessPointPosition])], on day: CalendarDate) -> Bool {
  guard let encoded = try? tiles.map({ try AccessPointTile.encode($0.places, in: $0.key, on: day) }),
    let densest = tiles.max(by: { $0.places.count < $1.places.count }),
    let bytes = try? AccessPointTile.encode(densest.places, in: densest.key, on: day),
    let tile = try? AccessPointTile(bytes)
  else { return false }
  let count = tiles.reduce(0) { $0 + $1.places.count }
  Figure(
    name: "tiles of a city, bytes per access point", value: Double(encoded.reduce(0) { $0 + $1.count }) / Double(count),
    unit: "B", reach: 5, peer: "Apple's tile, as reversed", peerValue: 21.9
  ).write()
  let time = ProcessTime.median { precondition((try? tile.places().count) == tile.count, "no tile") }
  Figure(name: "a tile of \(tile.count) access points, decoded", value: Double(time) / 1e6, unit: "ms").write()
  let some = stride(from: 0, to: densest.places.count, by: densest.places.count / 29).map { densest.places[$0].bssid }
  let looking = ProcessTime.median { precondition((try? tile.places(of: some).count) == some.count, "not found") }
  Figure(name: "30 access points looked up in it", value: Double(looking) / 1e6, unit: "ms").write()
  return selection(densest.places, in: densest.key, on: day)
}

/// The area that this many bytes serve, with selected access points and with randomly drawn ones.
private func selection(_ places: [AccessPointPosition], in key: TileKey, on day: CalendarDate) -> Bool {
  var random = SplitMix64(seed: 7)
  let shuffled = places.shuffled(using: &random)
  let all = Double(TileSelection.servedCells(by: places, in: key))
  for budget in [5_000, 10_000] {
    guard let chosen = try? TileSelection.select(places, in: key, on: day, budget: budget),
      let drawn = try? TileSelection.longestPrefix(of: shuffled, in: key, on: day, budget: budget)
    else { return false }
    let ours = Double(TileSelection.servedCells(by: chosen, in: key))
    let chance = Double(TileSelection.servedCells(by: drawn, in: key))
    let name = "the densest tile in \(budget / 1000) kB, \(chosen.count) access points"
    Figure(
      name: "\(name), ground served by chance, of that by choice", value: 100 * chance / ours, unit: "%",
      reach: 100 / 1.7
    ).write()
    Figure(
      name: "\(name), ground served, of that of all", value: 100 * ours / all, unit: "%", peer: "by chance",
      peerValue: 100 * chance / all
    ).write()
    // No selection serves more than all access points together.
    Figure(
      name: "\(name), ground served by chance, the least share of that by any choice", value: 100 * chance / all,
      unit: "%"
    ).write()
  }
  return true
}

private func drives(_ name: String, _ drives: WiFiDrives) {
  guard let own = Distribution(drives.errors.own), let median = Distribution(drives.errors.median),
    let ichnaea = Distribution(drives.errors.ichnaea), let coverage = Coverage(drives.answers.joined())
  else { return }
  func figure(_ word: String, _ value: Double, _ reach: Double, _ peer: String, _ peerValue: Double) {
    Figure(name: "\(name), \(word)", value: value, unit: "m", reach: reach, peer: peer, peerValue: peerValue).write()
  }
  figure("median", own.p50, median.p50, "geometric median", median.p50)
  figure("median", own.p50, ichnaea.p50, "Ichnaea's method", ichnaea.p50)
  figure("p95", own.p95, 0.9 * median.p95, "geometric median", median.p95)
  figure("p95", own.p95, 0.9 * ichnaea.p95, "Ichnaea's method", ichnaea.p95)
  var random = SplitMix64(seed: 1)
  // Whole drives are resampled, because all scans of a drive share the fading of the signals on that day.
  let length = drives.answers.map(\.count).max() ?? 1
  let interval = BlockBootstrap(blockLength: length).interval(of: [drives.answers.flatMap { $0 }], using: &random) {
    Coverage($0)?.inside68
  }
  Figure(
    name: "\(name), errors inside the radius, off 68.3 %", value: 100 * abs(coverage.inside68 - 0.6827), unit: "%",
    reach: interval.map { 50 * ($0.upperBound - $0.lowerBound) }
  ).write()
  Figure(name: "\(name), errors inside the radius", value: 100 * coverage.inside68, unit: "%").write()
  for (index, fifth) in RadiusQuintile.all(of: drives.answers.joined()).enumerated() {
    Figure(
      name: "\(name), inside the radius, fifth \(index + 1), to \(Figure.rounded(fifth.largestMeters)) m",
      value: 100 * fifth.coverage.inside68, unit: "%"
    ).write()
  }
  Figure(name: "\(name), errors beyond 3 x the radius", value: 100 * coverage.beyond3, unit: "%", reach: 1).write()
}

private func cost(_ questions: [SimulatedLife.Question]) {
  let solver = WiFiSolver()
  var most = 0.0
  var answered = 0
  let all = questions.filter { $0.places.count >= 50 }.prefix(200)
  for question in all {
    let time = ProcessTime.median(repetitions: 3) {
      if solver.solve(question.observations, places: question.places, at: question.at) != nil { answered += 1 }
    }
    most = max(most, Double(time) / 1000)
  }
  precondition(answered > 0, "nothing was answered")
  Figure(
    name: "a position of 50 and more access points, the slowest of \(all.count)", value: most, unit: "us", reach: 1000
  )
  .write()
}

/// One hour with a fix every second and a scan every five seconds.
private func learningCost(_ places: [AccessPointPosition]) {
  let middle = Coordinate(latitude: Angle(degrees: 46), longitude: Angle(degrees: 2))
  let life = SimulatedLife(radio: SimulatedRadio(places, around: middle, seed: 1), extent: 1600)
  var drive = SimulatedLife.Drive(seconds: 3600, extent: 1600, day: 20_000, seed: 2)
  let inputs = drive.way.places.indices.map { second in
    (fix: life.fix(&drive, at: second), scan: second % 5 == 4 ? life.scan(&drive, at: second) : [])
  }
  /// The number of observations and, if `measuring`, the peak of the additional heap in bytes.
  func learn(measuring: Bool = false) -> (observations: Int, heap: Int) {
    let before = measuring ? Int(CAllocationCounter_heap()) : 0
    var (observations, most) = (0, 0)
    var placer = ObservationLocator()
    var cache = RecordCache()
    func receive(_ new: [LocatedObservation]) {
      observations += new.count
      let evicted = cache.learn(new)
      if measuring { most = max(most, Int(CAllocationCounter_heap()) - before) }
      precondition(evicted.count <= new.count + cache.count, "more than it had")
    }
    for (fix, scan) in inputs {
      receive(placer.handle(scan))
      receive(placer.handle(fix))
    }
    return (observations, most)
  }
  let time = ProcessTime.median(repetitions: 3) { precondition(learn().observations > 0, "nothing was learnt") }
  let (observations, heap) = learn(measuring: true)
  Figure(name: "an hour at 1 Hz learnt, \(observations) hearings", value: Double(time) / 1e9, unit: "s", reach: 1)
    .write()
  Figure(name: "the heap that it takes, at most", value: Double(heap) / 1_048_576, unit: "MB", reach: 10).write()
}
