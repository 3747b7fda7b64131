package import FleetDestinations
package import Geodesy
package import LocationPolicy
import TrackFormats

/// OwnTracks' JSON (https://owntracks.org/booklet/tech/json/), as its Recorder, Home Assistant, Traccar, Dawarich and PhoneTrack read
/// it.
package enum OwnTracksPayload {
  /// `location`. All numbers but coordinates are integers, because Traccar cuts fractions off. `acc` is at least 1: Home Assistant drops
  /// positions with 0, and those without.
  ///
  /// - Parameters:
  ///   - topic: only over HTTP, where Dawarich takes speeds for m/s without it.
  ///   - written: when the message is written; seconds since 1970.
  package static func location(
    _ fix: PositionFix, identifier: String, _ settings: FleetSettings, _ context: FleetContext?, topic: String?,
    written: GNSSTime?
  ) -> [UInt8] {
    var object = JSONObject()
    object.add("_type", .text("location"))
    object.add("lat", .number(fix.coordinate.latitude.degrees, decimals: 7))
    object.add("lon", .number(fix.coordinate.longitude.degrees, decimals: 7))
    let time = fix.time.secondsAndNanoseconds.seconds
    object.add("tst", .number(Int(time)))
    if let written = written?.secondsAndNanoseconds.seconds, written != time {
      object.add("created_at", .number(Int(written)))
    }
    object.add("acc", .number(Int(up: fix.horizontalRadius68)))
    if fix.kind.hasHeight, let height = fix.heightAboveMeanSeaLevel {
      object.add("alt", .number(height.value, decimals: 0))
      object.add("vac", .number(fix.verticalRadius68.map { Int(up: $0) }))
    }
    object.add("vel", .number(fix.speedMetersPerSecond.map { $0 * 3.6 }, decimals: 0))
    if let course = fix.course, let degrees = FixedDecimal(direction: course.degrees, decimals: 0) {
      object.add("cog", .number(degrees))
    }
    object.add("batt", .number(context?.battery))
    object.add("bs", .number(context?.batteryState?.rawValue))
    object.add("t", .text(context?.reason?.rawValue))
    object.add("tid", .text(settings.shownTrackerID))
    if let regions = context?.regions, !regions.isEmpty, settings.sendsEvents {
      object.add("inregions", .list(regions.map(\.name)))
      object.add("inrids", .list(regions.map(\.id)))
    }
    object.add("m", .number(settings.interval <= .seconds(60) ? 2 : 1))
    object.add("_id", .text(identifier))
    object.add("topic", .text(topic))
    return object.closed
  }

  /// `transition`: a region was entered or left.
  package static func transition(
    _ crossing: FleetCrossing, identifier: String, _ settings: FleetSettings, topic: String?
  ) -> [UInt8] {
    var object = JSONObject()
    object.add("_type", .text("transition"))
    object.add("event", .text(crossing.isEntry ? "enter" : "leave"))
    object.add("desc", .text(crossing.region))
    object.add("rid", .text(crossing.regionID))
    let addedAt = Int(crossing.addedAt.secondsAndNanoseconds.seconds)
    object.add("wtst", .number(addedAt == 0 ? nil : addedAt))
    object.add("tst", .number(Int(crossing.time.secondsAndNanoseconds.seconds)))
    object.add("lat", .number(crossing.coordinate.latitude.degrees, decimals: 7))
    object.add("lon", .number(crossing.coordinate.longitude.degrees, decimals: 7))
    object.add("acc", .number(Int(up: crossing.radius68)))
    object.add("tid", .text(settings.shownTrackerID))
    object.add("t", .text("c"))
    object.add("_id", .text(identifier))
    object.add("topic", .text(topic))
    return object.closed
  }

  /// A visit, an extension: without the keys `lat`, `lon` and `tst`, so that no server takes it for a position.
  package static func visit(_ visit: Visit, identifier: String) -> [UInt8] {
    var object = JSONObject()
    object.add("_type", .text("visit"))
    object.add("latitude", .number(visit.coordinate.latitude.degrees, decimals: 7))
    object.add("longitude", .number(visit.coordinate.longitude.degrees, decimals: 7))
    object.add("horizontalAccuracy", .meters(visit.horizontalRadius68.value))
    object.add("arrival", .text(visit.arrival.flatMap(Timestamp.init)?.iso8601))
    object.add("departure", .text(visit.departure.flatMap(Timestamp.init)?.iso8601))
    object.add("_id", .text(identifier))
    return object.closed
  }

  /// `lwt`: the device is no longer connected; `tst` is the time of connecting.
  package static func lastWill(connectedAt time: GNSSTime) -> [UInt8] {
    var object = JSONObject()
    object.add("_type", .text("lwt"))
    object.add("tst", .number(Int(time.secondsAndNanoseconds.seconds)))
    return object.closed
  }

  /// A message of a type that no server knows, to find out whether publishing is allowed. It is no `lwt`: that would mark the device as
  /// gone.
  package static func test(at time: GNSSTime?) -> [UInt8] {
    var object = JSONObject()
    object.add("_type", .text("test"))
    object.add("tst", .number(time.map { Int($0.secondsAndNanoseconds.seconds) }))
    return object.closed
  }

  /// `status`: the state of the machine and of the outbox.
  package static func status(_ health: FleetHealth, identifier: String) -> [UInt8] {
    var inner = JSONObject()
    inner.add("version", .text(health.version))
    inner.add("uptime", .number(health.uptime.map { Int($0.inSeconds) }))
    inner.add("outbox", .number(health.waiting))
    inner.add("oldest", .number(health.oldest.map { Int($0.secondsAndNanoseconds.seconds) }))
    if let lost = health.lost {
      var object = JSONObject()
      object.add("from", .number(Int(lost.from.secondsAndNanoseconds.seconds)))
      object.add("to", .number(Int(lost.to.secondsAndNanoseconds.seconds)))
      object.add("count", .number(lost.count))
      inner.add("lost", rawValue: object.closed)
    }
    inner.add("setAside", .number(health.setAside == 0 ? nil : health.setAside))
    inner.add("fixAge", .number(health.fixAge.map { Int($0.inSeconds) }))
    inner.add("satellitesUsed", .number(health.satellitesUsed))
    inner.add("clock", .text(health.isClockConfirmed ? "confirmed" : "unsure"))
    var object = JSONObject()
    object.add("_type", .text("status"))
    object.add("_id", .text(identifier))
    object.add("linux", rawValue: inner.closed)
    return object.closed
  }
}

/// The state of the machine and of the outbox, for `OwnTracksPayload.status` and Home Assistant.
package struct FleetHealth: Hashable, Sendable {
  package var version: String?
  package var uptime: Duration?
  package var waiting = 0
  package var oldest: GNSSTime?
  package var lost: FleetLoss?
  package var setAside = 0
  package var fixAge: Duration?
  package var satellitesUsed: Int?
  package var isClockConfirmed = false
  /// Percent.
  package var battery: Int?
  package var lastFix: GNSSTime?

  package init() {}
}

extension Int {
  /// Whole meters, rounded up, at least 1.
  init(up meters: Meters) { self = Swift.max(1, Int(Swift.min(meters.value, 20_100_000).rounded(.up))) }
}
