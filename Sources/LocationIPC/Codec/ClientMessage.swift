import FleetDestinations
import Geodesy
import LocationPolicy

/// What a client sends. Field 1 of a request is its number.
package enum ClientMessage: Hashable, Sendable {
  case hello(ClientHello)
  case request(ClientRequest)

  /// The message as it goes over the socket.
  package var frame: [UInt8] {
    var message: MessageWriter
    switch self {
    case .hello(let hello):
      message = MessageWriter(type: 1)
      hello.write(to: &message)
    case .request(let request):
      message = MessageWriter(type: Self.type(of: request))
      message.put(1, UInt64(request.id.rawValue))
      switch request {
      case .locate(_, let options): message.put(2, options)
      case .startUpdates(_, let options): message.put(2, options)
      case .watchSky(_, let waits): message.put(2, waits)
      case .trustDevice(_, let selector), .forgetDevice(_, let selector): message.put(2, selector)
      case .log(_, let request): message.put(2, request)
      case .authorization(_, let request): message.put(2, request)
      case .wifi(_, let request): message.put(2, request)
      case .monitoring(_, let request): message.put(2, request)
      case .time(_, let request): message.put(2, request)
      case .fleet(_, let request): message.put(2, request)
      case .places(_, let request): message.put(2, request)
      case .deferUpdates(_, let stream, let limits):
        message.put(2, UInt64(stream.rawValue))
        message.put(3, limits.distance?.value)
        message.put(4, limits.timeout)
      case .setOwner(_, let selector, let owner):
        message.put(2, selector)
        message.put(3, owner)
      case .listenIn, .cancel, .listDevices, .status: break
      }
    }
    return message.frame()
  }

  private static func type(of request: ClientRequest) -> UInt64 {
    switch request {
    case .locate: 2
    case .startUpdates: 3
    case .watchSky: 4
    case .cancel: 5
    case .listDevices: 6
    case .trustDevice: 7
    case .forgetDevice: 8
    case .status: 9
    case .log: 10
    case .setOwner: 11
    case .listenIn: 12
    case .authorization: 13
    case .wifi: 14
    case .monitoring: 15
    case .time: 17
    case .fleet: 18
    case .places: 19
    case .deferUpdates: 20
    }
  }

  /// Reads one message: a frame without its length.
  package init(_ payload: Span<UInt8>) throws(MessageError) {
    var cursor = MessageCursor(payload)
    let type = try cursor.number()
    let fields = try MessageFields(payload.extracting(cursor.offset..<payload.count))
    guard type != 1 else {
      self = .hello(try ClientHello(fields))
      return
    }
    guard (2...20).contains(type) else { throw .unknownMessage(type) }
    let id = RequestID(try fields.integer(1).required(1))
    switch type {
    case 2: self = .request(.locate(id, try fields.content(2).required(2)))
    case 3: self = .request(.startUpdates(id, try fields.content(2).required(2)))
    case 4: self = .request(.watchSky(id, waitsForSource: try fields.flag(2) ?? false))
    case 5: self = .request(.cancel(id))
    case 6: self = .request(.listDevices(id))
    case 7: self = .request(.trustDevice(id, selector: try fields.text(2).required(2)))
    case 8: self = .request(.forgetDevice(id, selector: try fields.text(2).required(2)))
    case 9: self = .request(.status(id))
    case 10: self = .request(.log(id, try fields.content(2).required(2)))
    case 11:
      self = .request(
        .setOwner(id, selector: try fields.text(2).required(2), owner: try fields.code(3).required(3)))
    case 12: self = .request(.listenIn(id))
    case 13: self = .request(.authorization(id, try fields.content(2).required(2)))
    case 14: self = .request(.wifi(id, try fields.content(2).required(2)))
    case 15: self = .request(.monitoring(id, try fields.content(2).required(2)))
    case 17: self = .request(.time(id, try fields.code(2).required(2)))
    case 18: self = .request(.fleet(id, try fields.content(2).required(2)))
    case 19: self = .request(.places(id, try fields.content(2).required(2)))
    case 20:
      self = .request(
        .deferUpdates(
          id, of: RequestID(try fields.integer(2).required(2)), try DeferralLimits(fields, distance: 3, timeout: 4)))
    default: throw .unknownMessage(type)
    }
  }
}

extension DeferralLimits {
  fileprivate init(_ fields: borrowing MessageFields, distance: Int, timeout: Int) throws(MessageError) {
    let (meters, time) = (try fields.double(distance), try fields.duration(timeout))
    if let meters, meters < 0 { throw .outOfRange(field: distance, found: meters.bitPattern) }
    if let time, time < .zero { throw .outOfRange(field: timeout, found: UInt64(bitPattern: time.wholeNanoseconds)) }
    self.init(distance: meters.map { Meters($0) }, timeout: time)
  }
}

extension OneShotOptions: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, desiredRadius68?.value)
    message.put(2, timeout)
    message.put(3, maximumAge)
    message.put(4, acceptsLastKnown)
    message.put(5, waitsForSource)
    message.put(6, whenNotDetermined == .asks ? nil : whenNotDetermined)
    message.put(7, accuracyRule == .converging ? nil : accuracyRule)
    message.put(8, device)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      desiredRadius68: try fields.double(1).map { Meters($0) }, timeout: try fields.duration(2).required(2),
      maximumAge: try fields.duration(3).required(3), acceptsLastKnown: try fields.flag(4) ?? false,
      waitsForSource: try fields.flag(5) ?? false, whenNotDetermined: try fields.code(6) ?? .asks)
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
    message.put(7, whenNotDetermined == .asks ? nil : whenNotDetermined)
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
      setsReceivers: try fields.flag(5) ?? true, whenNotDetermined: try fields.code(7) ?? .asks,
      allowsBackground: try fields.flag(8) ?? true, pausesAutomatically: try fields.flag(9) ?? false,
      sufficientRadius68: try fields.double(10).map { Meters($0) },
      isRaw: try fields.flag(11) ?? false)
    device = try fields.text(12)
  }
}
