import Geodesy

/// Turns the drafts of one receiver into epochs: adds dates and radii, and flags implausible fixes.
struct FixBuilder: Sendable {
  private let settings: ReceiverSettings
  private let era: EraResolver
  private var sequence = EpochSequence()
  private var confirmation = TimeConfirmation()
  private var freeze = StuckPositionDetector()
  private var plausibility = PlausibilityCheck()
  /// Time of the latest complete epoch, whose date is used for an epoch that does not contain one.
  private var lastTime: GNSSTime?
  /// When that epoch was completed.
  private var lastTimeAt = Instant(nanoseconds: 0)
  private var lastHadDate = false
  private var lastValidity = TimeValidity.timeOfDayOnly
  private var lastQualityFlag: FixQualityFlag?
  /// Whether the receiver had a fix in the first epoch received; `nil` before that, `false` once it has lost the fix.
  private var isTracked: Bool?
  /// The receiver's name in fixes: `settings.identity`, which is known before the first fix and therefore never changes; without it, the
  /// number in SEC-UNIQID.
  private var receiverIdentity: String?
  /// From SEC-UNIQID, once the receiver has sent it.
  private var ownIdentity: String?
  /// Whether all data is simulated: from the settings, or because the receiver identifies itself as a simulator.
  var isSimulated: Bool

  init(_ settings: ReceiverSettings) {
    self.settings = settings
    era = EraResolver(floor: settings.eraFloor)
    isSimulated = settings.isSimulated
    receiverIdentity = settings.identity
  }

  /// Notes the identity that the receiver itself has reported.
  mutating func learn(ownIdentity identity: String) {
    ownIdentity = identity
    receiverIdentity = settings.identity ?? identity
  }

  /// The prompt epoch of a draft; `nil` if the draft has no time or no fix, is a repeat, or goes backwards in time.
  func prompt(_ draft: EpochDraft, at now: Instant) -> GNSSEpoch? {
    guard let (time, hasDate, eras) = time(of: draft, at: now) else { return nil }
    if let lastTime, time <= lastTime, !isFirstDate(hasDate) { return nil }
    guard var fix = fix(from: draft, time: time, at: now) else { return nil }
    fix.timeValidity = promptValidity(hasDate: hasDate, receiverConfirms: draft.receiverConfirmsTime)
    fix.qualityFlag = draft.isJammed ? .jammed : lastQualityFlag
    return GNSSEpoch(
      stage: .prompt, fix: fix, time: time, timeValidity: fix.timeValidity, sky: sky(of: draft),
      receiver: receiverIdentity, isSimulated: fix.isSimulated, isWhole: draft.isWhole, erasAdded: eras,
      isTracked: isTracked ?? false)
  }

  /// How far a time is confirmed before its epoch is complete.
  private func promptValidity(hasDate: Bool, receiverConfirms: Bool?) -> TimeValidity {
    switch (hasDate, receiverConfirms) {
    case (false, _): .timeOfDayOnly
    case (true, true?): .confirmed
    case (true, false?): .dateUnconfirmed
    case (true, nil): lastValidity == .confirmed ? .confirmed : .dateUnconfirmed
    }
  }

  /// The complete epoch of a draft; `nil` if the draft does not report whether there is a fix, is a repeat, or goes
  /// backwards in time.
  mutating func complete(_ draft: EpochDraft, at now: Instant) -> GNSSEpoch? {
    if draft.isSimulated { isSimulated = true }
    // A time alone does not show whether there is a fix.
    guard draft.isReportedValid || draft.isReportedInvalid else { return nil }
    guard let (time, hasDate, eras) = time(of: draft, at: now) else {
      return GNSSEpoch(
        stage: .complete, fix: nil, sky: sky(of: draft), satellites: draft.observations, receiver: receiverIdentity,
        isSimulated: isSimulated, isWhole: draft.isWhole, erasAdded: 0, isTracked: lost(), timing: draft.timing)
    }
    if isFirstDate(hasDate) || draft.isAfterStepBack { sequence = EpochSequence() }
    switch sequence.verdict(on: time) {
    case .new: break
    case .repeated, .backwards: return nil
    }
    lastTime = time
    lastTimeAt = now
    lastHadDate = hasDate
    var epoch = GNSSEpoch(
      stage: .complete, fix: fix(from: draft, time: time, at: now), time: time, sky: sky(of: draft),
      satellites: draft.observations, receiver: receiverIdentity, isSimulated: isSimulated, isWhole: draft.isWhole,
      erasAdded: eras, isTracked: false, timing: draft.timing)
    let kind = epoch.fix?.kind
    lastValidity = confirmation.validity(
      of: time, hasDate: hasDate, is3DFix: kind.map { $0 != .twoDimensional && $0 != .estimated } ?? false,
      receiverConfirms: draft.receiverConfirmsTime)
    if lastValidity == .confirmed, draft.receiverConfirmsTime != true, isFarFromWallClock(time, at: now) {
      lastValidity = .dateUnconfirmed
    }
    epoch.ownIdentity = ownIdentity
    epoch.timeValidity = lastValidity
    epoch.fix?.timeValidity = lastValidity
    if let place = epoch.fix?.coordinate, let radius = epoch.fix?.horizontalRadius68 {
      lastQualityFlag = qualityFlag(
        of: draft, at: place, radius68: radius, speedMetersPerSecond: epoch.fix?.speedMetersPerSecond, time: time)
      epoch.fix?.qualityFlag = lastQualityFlag
    }
    epoch.isTracked = kind == nil ? lost() : holds()
    return epoch
  }

  private mutating func lost() -> Bool {
    isTracked = false
    return false
  }

  private mutating func holds() -> Bool {
    let tracked = isTracked ?? true
    isTracked = tracked
    return tracked
  }

  // MARK: - Time

  /// Whether an unconfirmed date lies far from a machine clock that is set: such a date may advance steadily and still be
  /// wrong.
  private func isFarFromWallClock(_ time: GNSSTime, at now: Instant) -> Bool {
    guard era.floor != nil, let wallClock = settings.wallClock else { return false }
    let difference = time - (wallClock + (now - settings.wallClockReadAt))
    return difference > Self.longestClockError || difference < .zero - Self.longestClockError
  }

  /// The greatest difference that an error of the machine's clock can explain: a clock without a battery stops while
  /// the machine is off, in a boat for a whole season.
  private static let longestClockError: Duration = .seconds(180 * 86_400)

  /// Whether this is the receiver's first date: earlier times were based on a guess, and may have been later than this one.
  private func isFirstDate(_ hasDate: Bool) -> Bool { hasDate && !lastHadDate }

  /// The time of a draft, whether its date comes from the receiver, and the number of eras added to it.
  private func time(of draft: EpochDraft, at now: Instant) -> (GNSSTime, hasDate: Bool, eras: Int)? {
    guard let ofDay = draft.nanosecondsOfDay else { return nil }
    if let reported = draft.date {
      guard let (date, eras) = era.resolve(reported), let midnight = Self.midnight(of: date) else { return nil }
      return (midnight + .nanoseconds(ofDay), true, eras)
    }
    if let lastTime { return (Self.nearest(ofDay, to: lastTime + (now - lastTimeAt)), lastHadDate, 0) }
    let wall = settings.wallClock.map { $0 + (now - settings.wallClockReadAt) }
    if let floor = era.floor.flatMap(Self.midnight) {
      return (Self.nearest(ofDay, to: max(wall ?? floor, floor)), false, 0)
    }
    return wall.map { (Self.nearest(ofDay, to: $0), false, 0) }
  }

  private static func midnight(of date: CalendarDate) -> GNSSTime? {
    TimeOfDay(hour: 0, minute: 0, second: 0).flatMap { GNSSTime(date: date, timeOfDay: $0) }
  }

  /// The time with this time of day that is nearest to `time`.
  private static func nearest(_ nanosecondsOfDay: Int64, to time: GNSSTime) -> GNSSTime {
    let day = GNSSTime.nanosecondsPerDay
    var difference = nanosecondsOfDay - time.nanosecondsSinceMidnight
    if difference > day / 2 { difference -= day }
    if difference < -day / 2 { difference += day }
    return time + .nanoseconds(difference)
  }

  // MARK: - Position

  /// The sender is often a phone, whose small antenna makes errors that its dilution does not show.
  private static func leastNetworkRadius(_ draft: EpochDraft, _ kind: FixKind) -> Meters {
    switch kind {
    case .rtkFloat, .rtkFixed: Meters(0)
    case .estimated, .twoDimensional, .threeDimensional, .differential:
      AccuracyModel.horizontalRadiusBasis(of: draft.evidence) == .accuracy ? Meters(0) : Meters(5)
    }
  }

  private func fix(from draft: EpochDraft, time: GNSSTime, at now: Instant) -> PositionFix? {
    guard draft.hasFix, let latitude = draft.latitudeNanodegrees, let longitude = draft.longitudeNanodegrees,
      let coordinate = Coordinate(
        checkingLatitude: Double(latitude) * 1e-9, longitude: Double(longitude) * 1e-9)
    else { return nil }
    let kind = draft.fixKind
    let isFlat = kind == .twoDimensional || draft.isTwoDimensional == true
    let radius = AccuracyModel.horizontalRadius68(of: draft.evidence, kind: kind)
    let flatRadius = AccuracyModel.horizontalRadius68(of: draft.evidence, kind: .twoDimensional)
    let modelRadius = isFlat ? max(radius, flatRadius) : radius
    let ownRadius = settings.isInNetwork ? max(modelRadius, Self.leastNetworkRadius(draft, kind)) : modelRadius
    var fix = PositionFix(
      time: time, timeValidity: .none, receivedAt: draft.lastArrival, coordinate: coordinate,
      horizontalRadius68: draft.datumErrorMeters > 0 ? Self.hypot(ownRadius, draft.datumErrorMeters) : ownRadius,
      kind: kind, technologies: settings.isInNetwork ? [.gnss, .network] : .gnss)
    fix.horizontalRadiusBasis =
      draft.datumErrorMeters > 0 ? .datum : AccuracyModel.horizontalRadiusBasis(of: draft.evidence)
    if !isFlat { setHeights(of: &fix, draft) }
    setMotion(of: &fix, draft)
    fix.satellitesUsed = draft.countedAsUsed
    fix.hdop = Self.dilution(draft.evidence.horizontalDilution)
    fix.correctionAge = draft.correctionAge
    fix.isSimulated = isSimulated || draft.isSimulated
    fix.device = settings.device
    fix.receiver = receiverIdentity
    return fix
  }

  private static func hypot(_ radius: Meters, _ error: Double) -> Meters {
    Meters((radius.value * radius.value + error * error).squareRoot())
  }

  private func setHeights(of fix: inout PositionFix, _ draft: EpochDraft) {
    let separation = draft.geoidSeparationMillimeters
    let seaLevel =
      draft.meanSeaLevelMillimeters
      ?? Self.combine(draft.ellipsoidMillimeters, separation, -)
    let ellipsoid = draft.ellipsoidMillimeters ?? Self.combine(seaLevel, separation, +)
    fix.heightAboveMeanSeaLevel = seaLevel.map { Meters(Double($0) / 1000) }
    fix.heightAboveEllipsoid = ellipsoid.map { Meters(Double($0) / 1000) }
    guard seaLevel != nil || ellipsoid != nil else { return }
    fix.verticalRadius68 = AccuracyModel.verticalRadius68(of: draft.evidence, kind: fix.kind)
  }

  private static func combine(_ a: Int64?, _ b: Int64?, _ operation: (Int64, Int64) -> Int64) -> Int64? {
    guard let a, let b else { return nil }
    return operation(a, b)
  }

  /// Below this speed (m/s), a course without an accuracy is noise, or a held old value.
  private static let slowestCourse = 0.3

  private func setMotion(of fix: inout PositionFix, _ draft: EpochDraft) {
    fix.speedMetersPerSecond = draft.speedMetersPerSecond
    if draft.speedMetersPerSecond != nil {
      fix.speedRadius68MetersPerSecond = draft.evidence.speedDeviationMetersPerSecond.map { max(0.001, $0) }
    }
    guard let course = draft.courseDegrees else { return }
    if let deviation = draft.evidence.courseDeviationDegrees {
      // An error of 90° to each side makes the course meaningless.
      guard deviation < 90 else { return }
      fix.courseRadius68 = Angle(degrees: deviation)
    } else {
      guard (draft.speedMetersPerSecond ?? 0) >= Self.slowestCourse else { return }
    }
    fix.course = Angle(degrees: course < 360 ? course : course - 360)
  }

  private mutating func qualityFlag(
    of draft: EpochDraft, at place: Coordinate, radius68: Meters, speedMetersPerSecond speed: Double?, time: GNSSTime
  ) -> FixQualityFlag? {
    let isFrozen = freeze.isFrozen(
      latitudeNanodegrees: draft.latitudeNanodegrees ?? 0, longitudeNanodegrees: draft.longitudeNanodegrees ?? 0,
      at: time, speedMetersPerSecond: speed)
    let isImplausible = plausibility.isImplausible(place, at: time, radius68: radius68, speedMetersPerSecond: speed)
    if draft.isJammed { return .jammed }
    if isFrozen { return .frozen }
    return isImplausible ? .implausible : nil
  }

  private func sky(of draft: EpochDraft) -> SkySummary {
    var sky = SkySummary(
      inView: draft.listsSatellites ? draft.satellitesInView.count : nil,
      received: draft.listsSatellites ? draft.satellitesTracked.count : nil,
      used: draft.countedAsUsed)
    sky.hdop = Self.dilution(draft.evidence.horizontalDilution)
    sky.vdop = Self.dilution(draft.evidence.verticalDilution)
    sky.pdop = Self.dilution(draft.evidence.positionDilution)
    return sky
  }

  /// 99 and above stand for "none".
  private static func dilution(_ value: Double?) -> Double? { value.flatMap { $0 > 0 && $0 < 99 ? $0 : nil } }
}
