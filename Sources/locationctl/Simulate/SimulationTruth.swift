import Geodesy
import LocationReplay
import TrackFormats

/// The true positions of a simulated receiver, in the format that `locationctl evaluate` reads.
struct SimulationTruth: ~Copyable {
  private var file: BufferedFile

  init(path: String, replacing: Bool) throws(FailureMessage) {
    var file = try BufferedFile(path: path, replacing: replacing)
    try file.append("t,lat,lon\n".utf8)
    self.file = file
  }

  mutating func append(_ epoch: RouteSimulation.Epoch) throws(FailureMessage) {
    let milliseconds = epoch.time.nanosecondsSince1970 / 1_000_000
    let sign = milliseconds < 0 ? "-" : ""
    let (seconds, rest) = Int64(milliseconds.magnitude).quotientAndRemainder(dividingBy: 1000)
    let place = epoch.truth.coordinate
    let latitude = FixedDecimal.text(place.latitude.degrees, decimals: 9) ?? ""
    let longitude = FixedDecimal.text(place.longitude.degrees, decimals: 9) ?? ""
    try file.append("\(sign)\(seconds).\(FixedDecimal.padded(rest, to: 3)),\(latitude),\(longitude)\n".utf8)
  }

  mutating func finish() throws(FailureMessage) { try file.finish() }
}
