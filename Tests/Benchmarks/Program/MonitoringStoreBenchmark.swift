import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import Regions

/// Adds this many regions in batches to the store of a folder, and writes their file whenever it is worth it.
func buildMonitoringStore(folder: String, count: Int) -> Int32 {
  guard var set = RegionSet("world") else { return 64 }
  do {
    let store = try MonitoringStore(stateFolder: folder)
    guard let list = try store.id(of: monitoringBenchmarkList, making: true) else { return 1 }
    var monitor = RegionMonitor()
    var (files, batches) = (0, 0)
    let start = MonotonicClock.now().nanoseconds
    for first in stride(from: 0, to: count, by: 1000) {
      var changes: [MonitoringChange] = []
      for number in first..<min(first + 1000, count) {
        let circle = set.nextCircle()
        let center = Coordinate(latitude: Angle(degrees: circle.latitude), longitude: Angle(degrees: circle.longitude))
        let shape = RegionShape.circle(try CircleShape(center: center, radius: Meters(circle.radius)))
        let region = try Region(identifier: "shop \(number)", shape: shape)
        _ = monitor.handle(.add(region, assuming: .outside), at: Instant(nanoseconds: 0))
        changes.append(.add(region, .outside))
      }
      try store.change(list, changes)
      batches += 1
      guard try store.needsSnapshot(list) else { continue }
      try store.snapshot(list, monitor)
      files += 1
    }
    try store.snapshot(list, monitor)
    Figure(
      name: "\(count) regions kept in \(batches) batches, \(files + 1) files of them among it",
      value: Double(MonotonicClock.now().nanoseconds - start) / 1e9, unit: "s"
    ).write()
    Figure(
      name: "memory of the process that keeps \(count) regions and watches them, at most",
      value: try ProcessMemory.peakMegabytes(), unit: "MB"
    ).write()
    return 0
  } catch {
    print("failed: \(error)")
    return 1
  }
}

/// Opens such a store and loads its regions, in a process that has done nothing else; then changes one region at a time, and a
/// quarter of them all.
func monitoringStoreBenchmark(folder: String, count: Int) -> Int32 {
  do {
    let start = MonotonicClock.now().nanoseconds
    var store = try MonitoringStore(stateFolder: folder)
    guard let list = try store.id(of: monitoringBenchmarkList, making: false) else { return 1 }
    var monitor = try store.load(list)
    guard monitor.count == count else { return 1 }
    Figure(
      name: "\(count) regions loaded from the store", value: Double(MonotonicClock.now().nanoseconds - start) / 1e9,
      unit: "s",
      reach: 1
    ).write()
    let changes = 500
    let before = MonotonicClock.now().nanoseconds
    for number in 0..<changes { try store.change(list, [.state("shop \(number * 7 % count)", .inside)]) }
    Figure(
      name: "one region among \(count) kept with another state",
      value: Double(MonotonicClock.now().nanoseconds - before) / Double(changes) / 1000, unit: "us"
    ).write()
    try store.change(list, (0..<count / 4).map { .state("shop \($0)", .inside) })
    let again = MonotonicClock.now().nanoseconds
    monitor = try store.load(list)
    Figure(
      name: "\(count) regions loaded, of which a quarter has changed",
      value: Double(MonotonicClock.now().nanoseconds - again) / 1e9, unit: "s"
    ).write()
    let file = MonotonicClock.now().nanoseconds
    try store.snapshot(list, monitor)
    Figure(
      name: "a file of \(count) regions in place of those changes",
      value: Double(MonotonicClock.now().nanoseconds - file) / 1e9, unit: "s"
    ).write()
    return 0
  } catch {
    print("failed: \(error)")
    return 1
  }
}

private let monitoringBenchmarkList = MonitoringList(ClientIdentity(userID: 1000, realm: .own), name: "benchmark")
