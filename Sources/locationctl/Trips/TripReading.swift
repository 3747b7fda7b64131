import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdClient
import LocationdHost
import LocationdService
import Regions
import TrackFormats

/// Computes the trips of a log: reads it once for the stays, and again for the paths between them. The memory that it
/// needs depends on the number of stays and trips, and not on the number of fixes.
final class TripReading {
  private(set) var trips: [NumberedTrip] = []
  private var stops: [TripStop] = []
  private let source: TripSource
  private let zones: PrivacyZones
  private let key: OwnerKey?

  init(_ source: TripSource) throws(CommandStatus) {
    self.source = source
    zones = try source.hiding.zones()
    do throws(FailureMessage) {
      key = try source.period.owner.read()
    } catch {
      throw Diagnostics.report(error)
    }
    var finder = StayFinder()
    var range: (first: GNSSTime, last: GNSSTime)?
    try read { entry in
      guard case .fix(let fix) = entry else { return }
      finder.add(fix)
      range = (min(range?.first ?? fix.time, fix.time), max(range?.last ?? fix.time, fix.time))
    }
    finder.finish()
    guard let range else { return }
    let isServed = (try? RemoteHost.isServed()) ?? false
    let visits = isServed ? Self.visits(in: range.first...range.last) : []
    let regions = isServed ? (try? UserRegions.read()) ?? [] : []
    stops = StayFinder.merged(finder.stops, visits)
    var builder = TripBuilder(stops)
    var found: [Trip] = []
    func take(_ events: [TripBuilder.Event]) {
      for case .ended(let trip?) in events { found.append(trip) }
    }
    try read(hiding: zones) { take(builder.add($0)) }
    take(builder.finish())
    trips = found.enumerated().map { index, trip in
      NumberedTrip(
        number: index + 1, trip: trip, beginPlace: Self.place(trip.begin, trip.origin, regions),
        endPlace: Self.place(trip.end, trip.destination, regions))
    }
  }

  /// Writes the entries of a trip.
  func export(
    _ trip: NumberedTrip, _ format: TrackFormat, to path: String?, replacing: Bool
  ) -> CommandStatus {
    guard let begin = trip.trip.summary.begin, let end = trip.trip.summary.end else { return .done }
    var run = LogExportRun(
      log: source.log, from: source.period.from, to: source.period.to, key: key, format: format, path: path)
    var builder = TripBuilder(stops)
    var hasBegun = false
    let period = begin...end
    run.part = (
      period,
      { entry in
        builder.add(entry).compactMap { event in
          guard case .entry(let entry) = event else { return nil }
          guard case .fix(let fix) = entry else { return hasBegun ? entry : nil }
          hasBegun = period.contains(fix.time)
          return hasBegun ? entry : nil
        }
      }
    )
    run.zones = zones
    run.replaces = replacing
    return CommandSession.withService(.automatic) { run.execute($0) }
  }

  private func read(
    hiding zones: PrivacyZones = PrivacyZones([]), _ body: @escaping (TrackEntry) -> Void
  ) throws(CommandStatus) {
    let status = source.period.read(source.log, hiding: zones, key: key, body)
    guard status == .done else { throw status }
  }

  /// The visits of a period; empty if they cannot be read, so that only the stays in the log are used.
  private static func visits(in period: ClosedRange<GNSSTime>) -> [Visit] {
    var found: [Visit] = []
    let status = MonitoringSession.request(.visits(of: RegionCommand.list, from: period.lowerBound)) { visits in
      found = visits
      return .done
    }
    guard status == .done else { return [] }
    return found.filter { visit in
      (visit.arrival ?? visit.departure).map { $0 <= period.upperBound } ?? false
    }
  }

  /// The name of the region in which a trip begins or ends; `nil` if there is none.
  private static func place(_ coordinate: Coordinate, _ stop: TripStop?, _ regions: [Region]) -> String? {
    regions.first { region in
      region.shape.contains(coordinate) || (stop.map { region.shape.contains($0.coordinate) } ?? false)
    }?.identifier
  }
}
