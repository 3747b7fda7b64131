import Geodesy
import LocationReplay

/// The output of a simulated receiver: either only its bytes, or a capture with their arrival times.
struct SimulationOutput: ~Copyable {
  /// The latency from an epoch to its bytes, as in captures of real receivers.
  private static let latency = Duration.milliseconds(80)

  private var file: BufferedFile
  private var capture: CaptureWriter?

  /// - Parameters:
  ///   - path: `nil`: standard output; a path that ends in `.capture` is written as a capture.
  ///   - start: the time of the first epoch.
  init(path: String?, replacing: Bool, from start: GNSSTime) throws(FailureMessage) {
    var file = try BufferedFile(path: path, replacing: replacing)
    guard path?.hasSuffix(".capture") ?? false else {
      self.file = file
      return
    }
    var writer = CaptureWriter()
    try file.append(writer.comment("Made by locationctl simulate, not by hardware."))
    try file.append(writer.encode(CaptureRecord(arrival: .zero, source: 0, event: .start(start))))
    try file.append(
      writer.encode(CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: "simulated")))))
    self.file = file
    capture = writer
  }

  mutating func append(_ epoch: RouteSimulation.Epoch) throws(FailureMessage) {
    guard var writer = capture else { return try file.append(epoch.bytes) }
    let record = CaptureRecord(arrival: epoch.elapsed + Self.latency, source: 1, event: .bytes(epoch.bytes))
    try file.append(writer.encode(record))
    capture = writer
  }

  mutating func finish() throws(FailureMessage) { try file.finish() }
}
