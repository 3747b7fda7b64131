import Geodesy
import LocationStore
import Positioning
import TestSupport
import WireFormats

/// Adds this many access points to the store of a folder, in the order of their addresses, like an import of sorted files.
func buildPlaceStore(folder: String, count: Int) -> Int32 {
  do {
    let store = try AccessPointStore(stateFolder: folder)
    let coordinate = Coordinate(latitude: Angle(degrees: 47), longitude: Angle(degrees: 8))
    for start in stride(from: 0, to: count, by: 10_000) {
      try store.add(
        (start..<min(start + 10_000, count)).compactMap { number in
          BSSID(rawValue: UInt64(number) * placeStep).map {
            AccessPointPosition(bssid: $0, coordinate: coordinate, radius68: Meters(40))
          }
        })
    }
    return 0
  } catch {
    print("failed: \(error)")
    return 1
  }
}

/// Random lookups in such a store, in a process that has done nothing else.
func placeStoreBenchmark(folder: String, count: Int) -> Int32 {
  do {
    var store = try AccessPointStore(stateFolder: folder)
    var random = SplitMix64(seed: 5)
    let lookups = 20_000
    var found = 0
    let start = ProcessTime.nanoseconds()
    for _ in 0..<lookups {
      let number = UInt64(Int.random(in: 0..<count, using: &random))
      guard let bssid = BSSID(rawValue: number * placeStep) else { continue }
      if try store.place(of: bssid) != nil { found += 1 }
    }
    let time = Double(ProcessTime.nanoseconds() - start) / Double(lookups) / 1000
    guard found == lookups else {
      print("found \(found) of \(lookups)")
      return 1
    }
    let millions = count / 1_000_000
    Figure(
      name: "an access point looked up among \(millions) million", value: time, unit: "us", reach: 50
    ).write()
    Figure(
      name: "memory of a process that has looked up \(lookups) of \(millions) million, at most",
      value: try ProcessMemory.peakMegabytes(), unit: "MB", reach: 20
    ).write()
    return 0
  } catch {
    print("failed: \(error)")
    return 1
  }
}

/// Spreads the access points over all addresses.
private let placeStep: UInt64 = 28_147_497
