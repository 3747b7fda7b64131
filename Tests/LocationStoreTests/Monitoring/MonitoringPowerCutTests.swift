import Foundation
import LocationPolicy
import LocationStore
import Regions
import TestSupport
import Testing

/// The power fails at any time: everything that was stored is there, and nothing else.
@Suite struct MonitoringPowerCutTests {
  private static let isSoak = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"

  /// After each step, and at several places within each step's write to SQLite's write-ahead log, which is written from its
  /// beginning to its end.
  @Test(arguments: isSoak ? 1...10 : 1...1) func aCutLeavesAStepWholeOrNot(seed: Int) throws {
    let place = try TemporaryFolder()
    let (folder, before, cut) = (place.path + "/state", place.path + "/before", place.path + "/cut")
    let log = "\(MonitoringStore.fileName)-wal"
    var random = SplitMix64(seed: UInt64(seed))
    var store = try MonitoringStore(stateFolder: folder)
    _ = try store.made()
    var last = try Monitored(&store)
    var (cuts, restarts) = (0, 0)
    for step in 0..<(Self.isSoak ? 2000 : 120) {
      // An empty list would be removed at the next opening.
      let list = try store.made(someLists[step % 40 == 39 ? 1 : 0])
      try store.setVisits(list, true)
      let plan = step % 11 == 5 ? try store.planSnapshot(list).write(store.load(list)) : nil
      last = try Monitored(&store)
      try copyFiles(of: folder, to: before)
      try execute(step, store, list, plan)
      let now = try Monitored(&store)
      let old = try Data(contentsOf: URL(fileURLWithPath: "\(before)/\(log)"))
      let new = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(log)"))

      try copyFiles(of: folder, to: cut)
      // The old region file is removed after everything else.
      for file in try regionFiles(in: before) where try !regionFiles(in: cut).contains(file) {
        try FileManager.default.copyItem(atPath: "\(before)/\(file)", toPath: "\(cut)/\(file)")
      }
      #expect(try reopened(cut) == now, "after step \(step)")

      guard old != new else { continue }
      // The log continues at its end, or restarts at its beginning when everything is in the database.
      let isRestart = new.count <= old.count || new.prefix(old.count) != old
      let (first, end) = isRestart ? (0, min(60_000, new.count)) : (old.count, new.count)
      restarts += isRestart ? 1 : 0
      for _ in 0..<2 {
        let length = Int.random(in: first..<end, using: &random)
        try copyFiles(of: before, to: cut)
        try (new.prefix(length) + old.dropFirst(length)).write(to: URL(fileURLWithPath: "\(cut)/\(log)"))
        let found = try reopened(cut)
        #expect(found == last || found == now, "\(length) of \(first)..<\(end) in step \(step)")
        cuts += 1
      }
    }
    #expect(cuts > 200 && restarts > 0)
  }

  private func reopened(_ folder: String) throws -> Monitored {
    var store = try MonitoringStore(stateFolder: folder)
    return try Monitored(&store)
  }

  /// One call that changes something.
  private func execute(
    _ step: Int, _ store: borrowing MonitoringStore, _ list: MonitoringListID, _ plan: WrittenSnapshot?
  ) throws {
    if let plan {
      #expect(try store.adopt(plan))
      return
    }
    let pending = try store.pending(limit: 100).map(\.id)
    switch step % 7 {
    case 0 where step > 100 && step % 5 == 0: try store.remove(list)
    case 1: _ = try store.countAttempts(pending, .command)
    case 2: try store.done(pending.dropLast(7), .programs)
    case 3: try store.done(pending.dropLast(5), .command)
    default:
      var kept = MonitoringStep()
      kept.changes = [(list, try MonitoredSteps.changes(step).map(MonitoringChange.init))]
      if step % 30 == 29 { kept.changes[0].changes.insert(.removeAll, at: 0) }
      kept.events = (0..<2).map { _ in
        NewEvent(
          list: list, subject: .region("\(step)"), body: Array(repeating: 1, count: 6000),
          pendingDeliveries: [.programs, .command])
      }
      kept.progress = [(list, "steps", Array("\(step)".utf8))]
      kept.records = [(list, "region \(step % 9)", MonitoringRecord(state: .inside, time: nil))]
      _ = try store.record(kept)
    }
  }

  /// Between any two steps of the replacement of a region file.
  @Test func aFileOfRegionsIsTheOldOneOrTheNew() throws {
    let place = try TemporaryFolder()
    let (folder, cut) = (place.path + "/state", place.path + "/cut")
    var store = try MonitoringStore(stateFolder: folder)
    let list = try store.made()
    for round in 0..<5 {
      try store.change(
        list, try (0..<30).map { .add(try testRegion("\(round * 20 + $0)"), $0 % 2 == 0 ? .inside : .outside) })
      try store.change(list, [.remove("\(round)"), .state("\(round + 15)", .unknown)])
      let expected = try Monitored(&store)
      func check(_ what: Comment, files: Int) throws {
        #expect(try reopened(cut) == expected, what)
        #expect(try regionFiles(in: cut).count == files, what)
      }
      let old = try regionFiles(in: folder)
      let plan = try store.planSnapshot(list)
      try copyFiles(of: folder, to: cut)
      try check("planned", files: old.count)

      let written = try plan.write(store.load(list))
      let name = try #require(plan.path.split(separator: "/").last)
      let content = try bytes(of: plan.path)
      for length in stride(from: 0, through: content.count, by: 331) {
        try copyFiles(of: folder, to: cut)
        try FileManager.default.moveItem(atPath: "\(cut)/\(name)", toPath: "\(cut)/\(name).77.new")
        try Data(content.prefix(length)).write(to: URL(fileURLWithPath: "\(cut)/\(name).77.new"))
        try check("half written", files: old.count)
      }
      try copyFiles(of: folder, to: cut)
      try check("written", files: old.count)

      let files = try old.map { ($0, try bytes(of: "\(folder)/\($0)")) }
      #expect(try store.adopt(written))
      #expect(try regionFiles(in: folder) == [String(name)])
      try copyFiles(of: folder, to: cut)
      for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: "\(cut)/\(name)")) }
      try check("adopted", files: 1)
    }
  }

  /// A process that stores one step after the other is killed again and again, always with the same store.
  @Test(arguments: [isSoak ? 1000 : 30]) func nothingKeptIsLostWhereTheProcessIsKilled(rounds: Int) throws {
    let place = try TemporaryFolder()
    var random = SplitMix64(seed: UInt64(getpid()))
    var (promised, done) = (0, 0)
    var expected: [String: MonitoredSteps.Entry] = [:]
    for round in 0..<rounds {
      do {
        let writer = try HelperProcess("track-logger", ["monitored", place.path], environment: [:])
        for _ in 0..<Int.random(in: 1...30, using: &random) { promised = try #require(Self.kept(writer.next())) }
        // The time of the kill is the only thing here that must be random.
        try #require(poll(nil, 0, .random(in: 0...5, using: &random)) == 0)
        writer.kill()
        while let line = writer.next() { promised = try #require(Self.kept(line)) }
      }
      var store = try MonitoringStore(stateFolder: place.path)
      #expect(store.setAside == nil)
      let list = try store.made(MonitoredSteps.list)
      let found = Int(String(decoding: try store.progress(list, "steps") ?? [], as: UTF8.self)) ?? 0
      #expect(found >= promised, "round \(round)")
      for step in done..<found { try MonitoredSteps.execute(step, on: &expected) }
      done = found
      #expect(try store.regions(of: list) == expected && store.setAsideSnapshots.isEmpty, "round \(round)")
      let pending = try store.pending(limit: 100)
      // A process that was killed before its report leaves its events to the next one.
      #expect(pending.count >= min(found, MonitoredSteps.pending), "round \(round)")
      #expect(pending.map(\.event.body) == (found - pending.count..<found).map { MonitoredSteps.body($0) })
      #expect(pending.map { Int($0.id) } == Array(found - pending.count + 1..<found + 1))
      #expect(try regionFiles(in: place.path).count <= 1)
    }
    #expect(done > rounds)
  }

  private static func kept(_ line: [UInt8]?) -> Int? {
    let words = String(decoding: line ?? [], as: UTF8.self).split(separator: " ")
    return words.first == "kept" ? words.last.flatMap { Int($0) } : nil
  }
}
