import Geodesy
import LocationPolicy
import Regions

/// Field 1 is the case, 2 the list; 3 are regions, 4 identifiers, each preceded by its length; 5 is one identifier; 6 a number; 7
/// and 8 flags; 9 the launch; 10 and 12 times; 11 are visits.
extension MonitoringRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ list: String? = nil) {
      message.put(1, code)
      message.put(2, list)
    }
    switch self {
    case .add(let list, let regions, let outlives):
      put(0, list)
      message.put(3, regions, limit: MessageLimits.regions)
      message.put(8, outlives)
    case .remove(let list, let identifiers):
      put(1, list)
      message.put(4, identifiers.map { RegionIdentifier($0) }, limit: MessageLimits.regions)
    case .removeAll(let list): put(2, list)
    case .state(let list, let identifier):
      put(3, list)
      message.put(5, RegionIdentifier(identifier))
    case .read(let list, let start):
      put(4, list)
      message.put(6, UInt64(start))
    case .lists: put(5)
    case .setVisits(let list, let isOn, let launch, let outlives): set(6, list, isOn, launch, outlives, &message)
    case .setSignificantChanges(let list, let isOn, let launch, let outlives):
      set(7, list, isOn, launch, outlives, &message)
    case .visits(let list, let start):
      put(8, list)
      message.put(10, signed: start?.nanosecondsSince1970)
    case .follow(let list, let receives):
      put(9, list)
      message.put(7, receives)
    case .acknowledge(let list, let event):
      put(10, list)
      message.put(6, event)
    case .room: put(11)
    case .importVisits(let visits):
      put(12)
      message.put(11, visits, limit: MessageLimits.importedVisits)
    case .importedVisits(let start, let index):
      put(13)
      message.put(6, UInt64(index))
      message.put(10, signed: start?.nanosecondsSince1970)
    case .removeVisits(let list, let start, let end):
      put(14, list)
      message.put(10, signed: start?.nanosecondsSince1970)
      message.put(12, signed: end?.nanosecondsSince1970)
    }
  }

  private func set(
    _ code: UInt64, _ list: String, _ isOn: Bool, _ launch: MonitoringLaunch, _ outlives: Bool,
    _ message: inout MessageWriter
  ) {
    message.put(1, code)
    message.put(2, list)
    message.put(7, isOn)
    message.put(8, outlives)
    message.put(9, launch)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let list = try fields.text(2)
    switch code {
    case 0:
      self = .add(
        list: try list.required(2), try fields.list(3, limit: MessageLimits.regions).required(3),
        outlives: try fields.flag(8) ?? false)
    case 1:
      let identifiers: [RegionIdentifier] = try fields.list(4, limit: MessageLimits.regions).required(4)
      self = .remove(list: try list.required(2), identifiers.map(\.text))
    case 2: self = .removeAll(list: try list.required(2))
    case 3:
      let identifier: RegionIdentifier = try fields.content(5).required(5)
      self = .state(list: try list.required(2), identifier.text)
    case 4: self = .read(list: try list.required(2), from: try fields.integer(6) ?? 0)
    case 5: self = .lists
    case 6, 7:
      let (isOn, outlives) = (try fields.flag(7).required(7), try fields.flag(8) ?? false)
      let launch = try fields.content(9, MonitoringLaunch.self) ?? MonitoringLaunch()
      self =
        code == 6
        ? .setVisits(list: try list.required(2), isOn: isOn, launch, outlives: outlives)
        : .setSignificantChanges(list: try list.required(2), isOn: isOn, launch, outlives: outlives)
    case 8:
      self = .visits(
        list: try list.required(2), from: try fields.signed(10).map { GNSSTime(nanosecondsSince1970: $0) })
    case 9: self = .follow(list: list, receives: try fields.flag(7) ?? false)
    case 10: self = .acknowledge(list: try list.required(2), event: try fields.number(6).required(6))
    case 11: self = .room
    case 12: self = .importVisits(try fields.list(11, limit: MessageLimits.importedVisits) ?? [])
    case 13:
      self = .importedVisits(
        from: try fields.signed(10).map { GNSSTime(nanosecondsSince1970: $0) }, index: try fields.integer(6) ?? 0)
    case 14:
      self = .removeVisits(
        list: list, from: try fields.signed(10).map { GNSSTime(nanosecondsSince1970: $0) },
        to: try fields.signed(12).map { GNSSTime(nanosecondsSince1970: $0) })
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// 1 is the region and its state, in the form of a file; 2 the launch; 3 the last received state, 4 its time; 5 and 6 are the
/// seconds of its timing: dwell, and until it counts as unknown.
extension MonitoredRegion: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, RegionFile.encode(region, state))
    if !launch.isEmpty { message.put(2, launch) }
    message.put(3, acknowledgedState)
    message.put(4, signed: receivedAt?.nanosecondsSince1970)
    message.put(5, timing.dwellSeconds.map { UInt64($0) })
    message.put(6, timing.unknownAfterSeconds.map { UInt64($0) })
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let bytes = try fields.bytes(1).required(1)
    guard let (region, state) = try? RegionFile.decodeOne(bytes.span) else {
      throw .outOfRange(field: 1, found: UInt64(bytes.count))
    }
    let (dwell, unknownAfter): (Int?, Int?) = (try fields.integer(5), try fields.integer(6))
    guard let timing = RegionTiming(dwellSeconds: dwell, unknownAfterSeconds: unknownAfter) else {
      throw .outOfRange(field: 5, found: UInt64(clamping: dwell ?? unknownAfter ?? 0))
    }
    self.init(
      region, state: state, launch: try fields.content(2) ?? MonitoringLaunch(), timing: timing,
      acknowledgedState: try fields.code(3),
      receivedAt: try fields.signed(4).map { GNSSTime(nanosecondsSince1970: $0) })
  }
}

/// 1 and 2 are the command on entry, 3 and 4 on exit, 6 and 7 when the state is unknown, each in two halves; 5 whether a
/// notification is shown.
extension MonitoringLaunch: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, onEntry?.high)
    message.put(2, onEntry?.low)
    message.put(3, onExit?.high)
    message.put(4, onExit?.low)
    message.put(5, isShown)
    message.put(6, onUnknown?.high)
    message.put(7, onUnknown?.low)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(isShown: try fields.flag(5) ?? false)
    if let high = try fields.number(1) { onEntry = CommandToken(high: high, low: try fields.number(2).required(2)) }
    if let high = try fields.number(3) { onExit = CommandToken(high: high, low: try fields.number(4).required(4)) }
    if let high = try fields.number(6) { onUnknown = CommandToken(high: high, low: try fields.number(7).required(7)) }
  }
}

/// The identifier of a region, which may be longer than other texts.
struct RegionIdentifier: MessageContent {
  let text: String

  init(_ text: String) { self.text = text }

  func write(to message: inout MessageWriter) { message.put(1, Array(text.utf8)) }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let bytes = try fields.bytes(1).required(1)
    guard bytes.count <= Region.longestIdentifier else {
      throw .tooLong(field: 1, limit: Region.longestIdentifier, found: bytes.count)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(field: 1) }
    self.text = text
  }
}
