import Glibc
import TestSupport

// One file for each benchmark; the first argument selects it. Each benchmark prints one JSON object per line.
let arguments = CommandLine.arguments
let status: Int32
switch arguments.dropFirst().first {
case "decode"? where arguments.count == 3: status = decodeBenchmark(path: arguments[2])
case "grid"? where arguments.count == 2: status = gridBenchmark()
case "fusion"? where arguments.count == 3: status = fusionBenchmark(folder: arguments[2])
case "accuracy"? where arguments.count == 3: status = accuracyBenchmark(folder: arguments[2])
case "faults"? where arguments.count == 3: status = faultsBenchmark(folder: arguments[2])
case "wifi"? where arguments.count == 3: status = wifiBenchmark(seed: UInt64(arguments[2]) ?? 0)
case "build-places"? where arguments.count == 4:
  status = buildPlaceStore(folder: arguments[2], count: Int(arguments[3]) ?? 0)
case "find-places"? where arguments.count == 4:
  status = placeStoreBenchmark(folder: arguments[2], count: Int(arguments[3]) ?? 0)
case "visits"? where arguments.count == 2: status = visitBenchmark()
case "crossings"? where arguments.count == 2: status = try crossingBenchmark(hasRecorded: RecordedDrive.isThere)
case "regions"? where arguments.count == 3: status = regionsBenchmark(arguments[2])
case "regions-peer"? where arguments.count == 3: status = regionsPeer(arguments[2])
case "write-regions"? where arguments.count == 4: status = writeRegions(arguments[2], to: arguments[3])
case "load-regions"? where arguments.count == 4: status = loadRegions(arguments[2], from: arguments[3])
case "build-monitoring"? where arguments.count == 4:
  status = buildMonitoringStore(folder: arguments[2], count: Int(arguments[3]) ?? 0)
case "load-monitoring"? where arguments.count == 4:
  status = monitoringStoreBenchmark(folder: arguments[2], count: Int(arguments[3]) ?? 0)
case "track"? where arguments.count == 7:
  status = trackBenchmark(
    fixesPath: arguments[2], folder: arguments[3], count: Int(arguments[4]) ?? 0, pace: UInt32(arguments[5]) ?? 0,
    key: arguments[6])
case "parked"? where arguments.count == 3: status = parkedBenchmark(folder: arguments[2])
case "launch"? where arguments.count == 4: status = launchBenchmark(agent: arguments[2], home: arguments[3])
default:
  print(
    "usage: Benchmarks decode FILE | fusion FOLDER | accuracy FOLDER | faults FOLDER | grid | wifi SEED | build-places FOLDER COUNT | find-places FOLDER COUNT | visits | crossings | regions world|city | regions-peer world|city | write-regions world|city FILE | load-regions world|city FILE | build-monitoring FOLDER COUNT | load-monitoring FOLDER COUNT | launch AGENT HOME | parked FOLDER | track FIXES FOLDER COUNT PACE KEY"
  )
  status = 64
}
exit(status)
