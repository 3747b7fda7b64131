import Geodesy
import LocationPolicy
import Regions

/// 1 is its number; 2 what it is about, 3 the region's identifier; 4 what has happened, 5 the state or 6 the visit; 7 when it was,
/// 8 by which fix it was noticed, 9 how often it has been told. Also how the service keeps it.
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
    switch happening {
    case .crossed(let state):
      message.put(4, 0 as UInt64)
      message.put(5, UInt64(state.rawValue))
    case .determined(let state):
      message.put(4, 1 as UInt64)
      message.put(5, UInt64(state.rawValue))
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
      id: try fields.number(1).required(1), subject, try Happening(fields),
      time: try fields.signed(7).map { GNSSTime(nanosecondsSince1970: $0) }, fix: try fields.content(8),
      attempt: try fields.integer(9) ?? 1)
  }
}

extension MonitoringEvent.Happening {
  fileprivate init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(4).required(4)
    switch code {
    case 0, 1:
      let number = try fields.number(5).required(5)
      guard let state = UInt8(exactly: number).flatMap(RegionState.init(rawValue:)) else {
        throw .unknownCode(field: 5, found: number)
      }
      self = code == 0 ? .crossed(state) : .determined(state)
    case 2: self = .arrived(try fields.content(6).required(6))
    case 3: self = .departed(try fields.content(6).required(6))
    case 4: self = .moved
    default: throw .unknownCode(field: 4, found: code)
    }
  }
}
