import Geodesy
import LocationPolicy

extension OneShotOptions: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, desiredRadius68?.value)
    message.put(2, timeout)
    message.put(3, maximumAge)
    message.put(4, acceptsLastKnown)
    message.put(5, waitsForSource)
    message.put(6, ifUndecided == .asks ? nil : ifUndecided)
    message.put(7, accuracyRule == .converging ? nil : accuracyRule)
    message.put(8, device)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      desiredRadius68: try fields.double(1).map { Meters($0) }, timeout: try fields.duration(2).required(2),
      maximumAge: try fields.duration(3).required(3), acceptsLastKnown: try fields.flag(4) ?? false,
      waitsForSource: try fields.flag(5) ?? false, ifUndecided: try fields.code(6) ?? .asks)
    accuracyRule = try fields.code(7) ?? .converging
    device = try fields.text(8)
  }
}

extension UpdateOptions: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, desiredRadius68?.value)
    message.put(2, distanceFilter?.value)
    message.put(3, activity)
    message.put(4, rateHertz.map { UInt64(clamping: $0) })
    message.put(5, setsReceivers)
    message.put(6, waitsForSource)
    message.put(7, ifUndecided == .asks ? nil : ifUndecided)
    message.put(8, allowsBackground ? nil : false)
    message.put(9, pausesAutomatically ? true : nil)
    message.put(10, sufficientRadius68?.value)
    message.put(11, isRaw ? true : nil)
    message.put(12, device)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let rate = try fields.number(4)
    if let rate, !(1...25).contains(rate) { throw .outOfRange(field: 4, found: rate) }
    self.init(
      desiredRadius68: try fields.double(1).map { Meters($0) }, distanceFilter: try fields.double(2).map { Meters($0) },
      activity: try fields.code(3), rateHertz: rate.map { Int($0) }, waitsForSource: try fields.flag(6) ?? false,
      setsReceivers: try fields.flag(5) ?? true, ifUndecided: try fields.code(7) ?? .asks,
      allowsBackground: try fields.flag(8) ?? true, pausesAutomatically: try fields.flag(9) ?? false,
      sufficientRadius68: try fields.double(10).map { Meters($0) },
      isRaw: try fields.flag(11) ?? false)
    device = try fields.text(12)
  }
}
