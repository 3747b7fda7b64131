import Geodesy
import LocationPolicy
import Regions

/// Field 1 is the case; 2 is a state, a number from which to continue, or uses; 3 the requested value, 4 the list; 5, 6 and 7 are
/// numbers of visits.
extension MonitoringAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .state(let state):
      message.put(1, 0 as UInt64)
      message.put(2, state)
    case .regions(let regions, let next):
      message.put(1, 1 as UInt64)
      message.put(2, next.map(UInt64.init))
      message.put(3, regions, limit: MessageLimits.regions)
    case .lists(let lists):
      message.put(1, 2 as UInt64)
      message.put(3, lists, limit: MessageLimits.monitoringLists)
    case .visits(let visits):
      message.put(1, 3 as UInt64)
      message.put(3, visits, limit: MessageLimits.visits)
    case .event(let event, let list):
      message.put(1, 4 as UInt64)
      message.put(3, event)
      message.put(4, list)
    case .allowed(let uses, let list):
      message.put(1, 5 as UInt64)
      message.put(2, UInt64(uses.rawValue))
      message.put(4, list)
    case .room(let room):
      message.put(1, 6 as UInt64)
      message.put(3, room)
    case .importedCounts(let added, let known, let beyond):
      message.put(1, 7 as UInt64)
      message.put(5, UInt64(clamping: added))
      message.put(6, UInt64(clamping: known))
      message.put(7, UInt64(clamping: beyond))
    case .importedVisits(let visits, let next):
      message.put(1, 8 as UInt64)
      message.put(2, next.map(UInt64.init))
      message.put(3, visits, limit: MessageLimits.visits)
    case .removedVisits(let count):
      message.put(1, 9 as UInt64)
      message.put(5, UInt64(clamping: count))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .state(try fields.code(2))
    case 1:
      self = .regions(
        try fields.list(3, limit: MessageLimits.regions).required(3), next: try fields.integer(2))
    case 2: self = .lists(try fields.list(3, limit: MessageLimits.monitoringLists).required(3))
    case 3: self = .visits(try fields.list(3, limit: MessageLimits.visits).required(3))
    case 4: self = .event(try fields.content(3).required(3), list: try fields.text(4).required(4))
    case 5:
      self = .allowed(
        MonitoringUses(rawValue: try fields.integer(2).required(2)), list: try fields.text(4).required(4))
    case 6: self = .room(try fields.content(3).required(3))
    case 7:
      self = .importedCounts(
        added: try fields.integer(5).required(5), known: try fields.integer(6).required(6),
        beyond: try fields.integer(7).required(7))
    case 8:
      self = .importedVisits(
        try fields.list(3, limit: MessageLimits.visits).required(3), next: try fields.integer(2))
    case 9: self = .removedVisits(try fields.integer(5).required(5))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// 1 and 2 are the stored and the greatest number of regions, 3 and 4 their bytes.
extension MonitoringQuota: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(clamping: regions))
    message.put(2, UInt64(clamping: mostRegions))
    message.put(3, UInt64(clamping: bytes))
    message.put(4, UInt64(clamping: mostBytes))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      regions: try fields.integer(1) ?? 0, mostRegions: try fields.integer(2).required(2),
      bytes: try fields.integer(3) ?? 0, mostBytes: try fields.integer(4).required(4))
  }
}

extension MonitoringListReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, identity)
    message.put(3, UInt64(clamping: regions))
    message.put(4, UInt64(wanted.rawValue))
    message.put(5, UInt64(allowed.rawValue))
    message.put(6, UInt64(clamping: waiting))
    message.put(7, UInt64(clamping: dropped))
    message.put(8, problem)
    if !visitsLaunch.isEmpty { message.put(9, visitsLaunch) }
    if !significantChangesLaunch.isEmpty { message.put(10, significantChangesLaunch) }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      name: try fields.text(1).required(1), identity: try fields.content(2).required(2),
      regions: try fields.integer(3) ?? 0, wanted: MonitoringUses(rawValue: try fields.integer(4) ?? 0),
      allowed: MonitoringUses(rawValue: try fields.integer(5) ?? 0), waiting: try fields.integer(6) ?? 0,
      dropped: try fields.integer(7) ?? 0, problem: try fields.text(8))
    visitsLaunch = try fields.content(9) ?? MonitoringLaunch()
    significantChangesLaunch = try fields.content(10) ?? MonitoringLaunch()
  }
}

/// 1, 2 and 3 are latitude, longitude and radius; 4 and 5 the beginning and the end, 6 whether it ended at an unknown time; 7
/// whether it was imported.
extension Visit: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, coordinate.latitude.degrees)
    message.put(2, coordinate.longitude.degrees)
    message.put(3, horizontalRadius68.value)
    message.put(4, signed: arrival?.nanosecondsSince1970)
    message.put(5, signed: departure?.nanosecondsSince1970)
    message.put(6, hasEnded && departure == nil ? true : nil)
    message.put(7, isImported ? true : nil)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let latitude = try fields.double(1).required(1)
    guard let place = Coordinate(checkingLatitude: latitude, longitude: try fields.double(2).required(2)) else {
      throw .outOfRange(field: 1, found: latitude.bitPattern)
    }
    let radius = try fields.double(3).required(3)
    guard radius > 0 else { throw .outOfRange(field: 3, found: radius.bitPattern) }
    self.init(
      coordinate: place, horizontalRadius68: Meters(radius),
      arrival: try fields.signed(4).map { GNSSTime(nanosecondsSince1970: $0) },
      departure: try fields.signed(5).map { GNSSTime(nanosecondsSince1970: $0) },
      hasEnded: try fields.flag(6) ?? false)
    isImported = try fields.flag(7) ?? false
  }
}

/// 1 is the case, 2 the path, 3 the reason, 4 its cause, 5 a limit, 6 an identity, 7 a process.
extension MonitoringFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .needsDaemon: message.put(1, 0 as UInt64)
    case .monitoredElsewhere(let processID):
      message.put(1, 6 as UInt64)
      message.put(7, signed: processID.map(Int64.init))
    case .badName(let name):
      message.put(1, 1 as UInt64)
      message.put(2, name)
    case .tooManyRegions(let limit):
      message.put(1, 2 as UInt64)
      message.put(5, UInt64(clamping: limit))
    case .tooManyTimedRegions(let limit):
      message.put(1, 8 as UInt64)
      message.put(5, UInt64(clamping: limit))
    case .tooManyRegionBytes(let limit):
      message.put(1, 7 as UInt64)
      message.put(5, UInt64(clamping: limit))
    case .tooManyLists(let limit):
      message.put(1, 3 as UInt64)
      message.put(5, UInt64(clamping: limit))
    case .cannotKeep(let path, let reason, let cause):
      message.put(1, 4 as UInt64)
      message.put(2, path)
      message.put(3, reason)
      message.put(4, cause)
    case .mayNotLaunch(let identity):
      message.put(1, 5 as UInt64)
      message.put(6, identity)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .needsDaemon
    case 1: self = .badName(try fields.text(2).required(2))
    case 2: self = .tooManyRegions(limit: try fields.integer(5).required(5))
    case 3: self = .tooManyLists(limit: try fields.integer(5).required(5))
    case 4:
      self = .cannotKeep(
        path: try fields.text(2).required(2), reason: try fields.text(3).required(3), try fields.code(4) ?? .other)
    case 8: self = .tooManyTimedRegions(limit: try fields.integer(5).required(5))
    case 7: self = .tooManyRegionBytes(limit: try fields.integer(5).required(5))
    case 6: self = .monitoredElsewhere(processID: try fields.signedInteger(7))
    case 5: self = .mayNotLaunch(try fields.content(6).required(6))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// 1 is its number; 2 its subject, 3 the region's identifier; 4 its kind, 5 the state or 6 the visit; 7 its time, 8 the fix that
/// detected it, 9 the number of the attempt. The service stores it in this form, too.
extension MonitoringEvent: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, id)
    switch subject {
    case .region(let identifier):
      message.put(2, 0 as UInt64)
      message.put(3, RegionIdentifier(identifier))
    case .visits: message.put(2, 1 as UInt64)
    case .significantChanges: message.put(2, 2 as UInt64)
    }
    switch kind {
    case .crossed(let state):
      message.put(4, 0 as UInt64)
      message.put(5, state)
    case .determined(let state):
      message.put(4, 1 as UInt64)
      message.put(5, state)
    case .arrived(let visit):
      message.put(4, 2 as UInt64)
      message.put(6, visit)
    case .departed(let visit):
      message.put(4, 3 as UInt64)
      message.put(6, visit)
    case .moved: message.put(4, 4 as UInt64)
    }
    message.put(7, signed: time?.nanosecondsSince1970)
    message.put(8, fix)
    message.put(9, UInt64(clamping: attempt))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let subject: MonitoringSubject
    let what = try fields.number(2).required(2)
    switch what {
    case 0: subject = .region(try fields.content(3, RegionIdentifier.self).required(3).text)
    case 1: subject = .visits
    case 2: subject = .significantChanges
    default: throw .unknownCode(field: 2, found: what)
    }
    self.init(
      id: try fields.number(1).required(1), subject, try Kind(fields),
      time: try fields.signed(7).map { GNSSTime(nanosecondsSince1970: $0) }, fix: try fields.content(8),
      attempt: try fields.integer(9) ?? 1)
  }
}

extension MonitoringEvent.Kind {
  fileprivate init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(4).required(4)
    switch code {
    case 0, 1:
      let state: RegionState = try fields.code(5).required(5)
      self = code == 0 ? .crossed(state) : .determined(state)
    case 2: self = .arrived(try fields.content(6).required(6))
    case 3: self = .departed(try fields.content(6).required(6))
    case 4: self = .moved
    default: throw .unknownCode(field: 4, found: code)
    }
  }
}
