import Geodesy
import LinuxIO
import LocationReplay
import TrackFormats

/// A GPX file as the route of a simulated receiver.
struct RouteFile {
  let path: String

  /// The route by the times of its points, or at a constant speed if no point has a time.
  func read(metersPerSecond: Double?) throws(FailureMessage) -> SimulatedRoute {
    let name = TerminalText.sanitized(path)
    var segments: [[GPXReader.Point]] = [[]]
    let bytes = try bytes()
    do throws(GPXError) {
      try GPXReader.forEachPiece(of: bytes) { piece in
        switch piece {
        case .interruption: segments.append([])
        case .point(let point): segments[segments.count - 1].append(point)
        }
      }
    } catch {
      throw FailureMessage(error, path: path)
    }
    guard segments.contains(where: { !$0.isEmpty }) else {
      throw FailureMessage("\(name) contains no track points: use a file with a recorded or drawn track.", .badInput)
    }
    let timed = segments.map { $0.compactMap(Self.timedPoint) }
    if metersPerSecond == nil || timed.contains(where: { !$0.isEmpty }) {
      guard let route = SimulatedRoute(segments: timed) else {
        throw FailureMessage("No point of \(name) has a time: set the speed with --speed.", .usage)
      }
      return route
    }
    guard let metersPerSecond,
      let route = SimulatedRoute(
        segments: segments.map { $0.map(Self.position) }, metersPerSecond: metersPerSecond,
        from: SimulatedReceiver.Configuration().startTime)
    else {
      throw FailureMessage("\(name) contains no track points: use a file with a recorded or drawn track.", .badInput)
    }
    return route
  }

  private func bytes() throws(FailureMessage) -> [UInt8] {
    do throws(InputFileError) {
      return try ReplaceableFile(path: path, maximumSize: GPXFileSource.maximumSize).bytes
    } catch {
      throw FailureMessage(error, path: path, remedy: "use a GPX file")
    }
  }

  private static func timedPoint(_ point: GPXReader.Point) -> RoutePoint? {
    point.time.map { RoutePoint(time: $0, position: position(point)) }
  }

  /// A point without a height is taken to be at mean sea level.
  private static func position(_ point: GPXReader.Point) -> SimulatedPosition {
    let undulation = Geoid.undulation(at: point.coordinate) ?? Meters(0)
    return SimulatedPosition(
      coordinate: point.coordinate,
      heightAboveEllipsoid: (point.heightAboveMeanSeaLevel ?? Meters(0)) + undulation)
  }
}
