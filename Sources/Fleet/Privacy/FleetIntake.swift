package import FleetDestinations
package import Geodesy
import LocationPolicy
import Regions
import TrackFormats

/// Decides which positions enter an outbox: nothing from hidden regions, from a pause or from outside of the schedule; the interval and
/// the distance that the user wants; with reduced accuracy, only a point of the grid.
///
/// The reduced position is that of the machine, the same for all clients and destinations and across restarts: each of its own would be in
/// another cell near a border, which would show how near the border is.
///
/// Where the line between two positions crosses the border of a hidden region, the last record is on the border, so that the place where
/// the positions stop reveals nothing about the place inside.
package struct FleetIntake: Sendable {
  /// What the caller knows about the time.
  package struct Clock: Hashable, Sendable {
    /// The system's time of day; `nil`: the clock is not set.
    package var time: GNSSTime?
    /// Local time minus UTC.
    package var offset: Duration

    package init(time: GNSSTime?, offset: Duration) { (self.time, self.offset) = (time, offset) }
  }

  private let settings: FleetSettings
  private var clip: TrackClip
  private let zones: PrivacyZones
  /// When the last position inside of a hidden region was received.
  private var hiddenAt: Instant?
  private var pause: FleetPause
  private var last: PositionFix?
  /// Whether the last position was not recorded because its time is not reliable.
  package private(set) var isClockUnsure = false
  /// Whether the next position enters the outbox whatever the interval.
  package var isNextWanted = false
  /// Positions that were not recorded for that reason, since the start: they are lost.
  package private(set) var unsure = 0

  package init(_ settings: FleetSettings, pause: FleetPause) {
    (self.settings, self.pause) = (settings, pause)
    zones = PrivacyZones(settings.hidden.map(\.shape))
    clip = TrackClip(zones)
  }

  package mutating func set(_ pause: FleetPause) { self.pause = pause }

  /// Whether anything may be sent at this time; `nil`: yes, otherwise the reason.
  package func obstacle(_ clock: Clock) -> FleetReport.State? {
    guard let now = clock.time else { return pause == .none && settings.schedule == nil ? nil : .paused }
    if pause.isPaused(at: now) { return .paused }
    if let schedule = settings.schedule, !schedule.includes(now, offset: clock.offset) { return .resting }
    return nil
  }

  /// The positions that enter the outbox because of one that was received, in order.
  ///
  /// - Parameter reduced: what `ReducedPosition` of the machine makes of it; only for a destination with reduced accuracy.
  package mutating func add(_ fix: PositionFix, reduced: PositionFix? = nil, _ clock: Clock) -> [PositionFix] {
    if zones.contains(fix.coordinate) { hiddenAt = fix.receivedAt }
    guard settings.sendsFixes, fix.qualityFlag == nil, !fix.isSimulated, !fix.isImported else { return [] }
    guard obstacle(clock) == nil else {
      // The track does not continue from before the pause.
      _ = clip.add(.interruption(.paused))
      last = nil
      return []
    }
    if let limit = settings.desiredRadius68, fix.horizontalRadius68 > limit { return [] }
    // A wrong time would stay in every server's history.
    isClockUnsure = fix.timeValidity != .confirmed && clock.time == nil
    guard !isClockUnsure else {
      unsure += 1
      return []
    }
    var wasCut = false
    var visible: [(fix: PositionFix, isBorder: Bool)] = []
    for entry in clip.add(.fix(fix)) {
      switch entry {
      case .interruption: wasCut = true
      case .fix(let shown): visible.append((shown, shown != fix))
      }
    }
    return visible.compactMap { shown, isBorder in
      guard let output = settings.isReduced ? reduced : shown, !zones.contains(output.coordinate) else { return nil }
      // A point of the grid is kept for a while: this one may be that of a position inside of a hidden region. It was made at its rounded
      // time or later.
      if settings.isReduced, let hiddenAt, output.receivedAt <= hiddenAt { return nil }
      // A point of the grid at the moment of the crossing would show when the border was crossed.
      let isAtBorder = !settings.isReduced && (isBorder || wasCut)
      guard isAtBorder || isNextWanted || isWanted(output) else { return nil }
      (last, isNextWanted) = (output, false)
      return output
    }
  }

  /// Whether the newest position may be shown at once, beside the outbox.
  package func showsLive(_ fix: PositionFix, _ clock: Clock) -> Bool {
    guard settings.sendsFixes, fix.qualityFlag == nil, !fix.isSimulated, !fix.isImported, obstacle(clock) == nil,
      fix.timeValidity == .confirmed || clock.time != nil, !zones.contains(fix.coordinate)
    else { return false }
    return settings.desiredRadius68.map { fix.horizontalRadius68 <= $0 } ?? true
  }

  /// Whether something that happened at a place may be sent.
  package func shows(_ event: FleetEvent, _ clock: Clock) -> Bool {
    guard obstacle(clock) == nil else { return false }
    switch event {
    case .crossing(let crossing):
      return settings.sendsEvents && !settings.isReduced && !zones.contains(crossing.coordinate)
    case .visit(let visit): return settings.sendsVisits && !settings.isReduced && !zones.contains(visit.coordinate)
    }
  }

  /// Movement within this distance may be an error of the receiver, meters.
  private static let unrest = 30.0
  /// An older position than the last one, by no more than this, is a late one.
  private static let longestDelay: Duration = .seconds(60)

  private func isWanted(_ fix: PositionFix) -> Bool {
    guard let last else { return true }
    let elapsed = fix.time - last.time
    // The clock was set back. An older position than the last one, from a network or a cache, would be the last one at the server.
    guard elapsed >= .zero else { return elapsed < .zero - Self.longestDelay && fix.receivedAt > last.receivedAt }
    if settings.isReduced {
      return fix.coordinate != last.coordinate || elapsed >= (settings.parkedInterval ?? .seconds(1800))
    }
    let distance = Geodesic.inverse(from: last.coordinate, to: fix.coordinate).distance
    let isMoving =
      distance.value > max(Self.unrest, fix.horizontalRadius68.value * 2, last.horizontalRadius68.value * 2)
      || (fix.speedMetersPerSecond ?? 0) > 1.5
    guard isMoving else {
      guard let parked = settings.parkedInterval else { return false }
      return elapsed >= parked
    }
    guard elapsed >= settings.interval else { return false }
    return settings.distanceFilter.map { distance >= $0 } ?? true
  }
}
