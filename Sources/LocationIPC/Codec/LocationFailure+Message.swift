import FleetDestinations
import Geodesy
import LocationPolicy

/// Field 1 is the case, 2 the path or address that it is about.
extension LocationFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ path: String? = nil) {
      message.put(1, code)
      message.put(2, path)
    }
    switch self {
    case .noSource: put(0)
    case .noGPSD(let address): put(1, address)
    case .noReceiverAtGPSD(let address): put(2, address)
    case .untrustedAdapters(let adapters):
      put(3)
      message.put(3, adapters, limit: MessageLimits.devices)
    case .permissionDenied(let path, let group):
      put(4, path)
      message.put(4, group)
    case .portInUse(let path, let holder):
      put(5, path)
      message.put(5, holder)
    case .cannotOpen(let path, let reason):
      put(6, path)
      message.put(6, reason)
    case .nothingReceived(let path, let bytesSeen, let speeds):
      put(7, path)
      message.put(7, UInt64(clamping: bytesSeen))
      message.put(8, speeds, limit: MessageLimits.speeds)
    case .nothingReceivedYet(let path, let bytesSeen):
      put(8, path)
      message.put(7, UInt64(clamping: bytesSeen))
    case .noSatellites(let path): put(9, path)
    case .noFixYet(let path, let inView):
      put(10, path)
      message.put(9, signed: inView)
    case .noUsableFix(let path, let qualityFlag):
      put(11, path)
      message.put(10, qualityFlag)
    case .sourceEnded(let path): put(12, path)
    case .badRecording(let path, let reason):
      put(13, path)
      message.put(10, reason)
    case .unknownDevice(let selector, let known):
      put(14, selector)
      message.put(11, known, limit: MessageLimits.devices)
    case .tooManyRequests(let limit):
      put(15)
      message.put(12, UInt64(clamping: limit))
    case .cannotStore(let path, let errno):
      put(16, path)
      message.put(13, signed: Int64(errno))
    case .serviceLost(let path): put(17, path)
    case .notAccurateEnough(let path, let best):
      put(32, path)
      message.put(23, best.value)
    case .serviceBusy(let path): put(33, path)
    case .serviceSilent(let path): put(34, path)
    case .serviceRefused(let refusal):
      put(18)
      message.put(14, refusal)
    case .serviceUnreadable(let reason):
      put(19)
      message.put(10, reason)
    case .log(let failure):
      put(20)
      message.put(15, failure)
    case .monitoring(let failure):
      put(27)
      message.put(22, failure)
    case .fleet(let failure):
      put(40)
      message.put(24, failure)
    case .places(let failure):
      put(41)
      message.put(25, failure)
    case .deferral(let failure):
      put(42)
      message.put(26, failure)
    case .notHandedOver(let path, let owner, let problem):
      put(21, path)
      message.put(16, owner)
      message.put(17, problem)
    case .notKept(let path, let reason, let cause):
      put(23, path)
      message.put(10, reason)
      message.put(20, cause)
    case .noKnownAccessPoint(let received):
      put(24)
      message.put(12, UInt64(clamping: received))
    case .placesNotKept(let path, let reason, let cause):
      put(26, path)
      message.put(10, reason)
      message.put(20, cause)
    case .radio(let problem):
      put(25)
      message.put(21, problem)
    case .notAuthorized(let denial, let identity):
      put(22)
      message.put(18, denial)
      message.put(19, identity)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let path = try fields.text(2) ?? ""
    switch code {
    case 0: self = .noSource
    case 1: self = .noGPSD(address: path)
    case 2: self = .noReceiverAtGPSD(address: path)
    case 3: self = .untrustedAdapters(try fields.list(3, limit: MessageLimits.devices).required(3))
    case 4: self = .permissionDenied(path: path, group: try fields.text(4))
    case 5: self = .portInUse(path: path, holder: try fields.content(5).required(5))
    case 6: self = .cannotOpen(path: path, reason: try fields.content(6).required(6))
    case 7:
      self = .nothingReceived(
        path: path, bytesSeen: try fields.integer(7).required(7),
        speeds: try fields.numbers(8, limit: MessageLimits.speeds).required(8))
    case 8: self = .nothingReceivedYet(path: path, bytesSeen: try fields.integer(7).required(7))
    case 9: self = .noSatellites(path: path)
    case 10: self = .noFixYet(path: path, satellitesInView: try fields.signedInteger(9))
    case 11: self = .noUsableFix(path: path, qualityFlag: try fields.text(10).required(10))
    case 12: self = .sourceEnded(path: path)
    case 13: self = .badRecording(path: path, reason: try fields.text(10).required(10))
    case 14:
      self = .unknownDevice(selector: path, known: try fields.texts(11, limit: MessageLimits.devices).required(11))
    case 15: self = .tooManyRequests(limit: try fields.integer(12).required(12))
    case 16: self = .cannotStore(path: path, errno: try fields.signedInteger(13).required(13))
    case 17: self = .serviceLost(path: path)
    case 18: self = .serviceRefused(try fields.content(14).required(14))
    case 19: self = .serviceUnreadable(reason: try fields.text(10).required(10))
    case 20: self = .log(try fields.content(15).required(15))
    case 27: self = .monitoring(try fields.content(22).required(22))
    case 21:
      self = .notHandedOver(
        path: path, to: try fields.code(16).required(16), try fields.content(17).required(17))
    case 22: self = .notAuthorized(try fields.content(18).required(18), identity: try fields.content(19))
    case 23:
      self = .notKept(path: path, reason: try fields.text(10).required(10), try fields.code(20) ?? .other)
    case 25: self = .radio(try fields.content(21).required(21))
    case 26:
      self = .placesNotKept(path: path, reason: try fields.text(10).required(10), try fields.code(20) ?? .other)
    case 32:
      self = .notAccurateEnough(path: path, best: Meters(try fields.double(23).required(23)))
    case 40: self = .fleet(try fields.content(24).required(24))
    case 41: self = .places(try fields.content(25).required(25))
    case 42: self = .deferral(try fields.code(26).required(26))
    case 33: self = .serviceBusy(path: path)
    case 34: self = .serviceSilent(path: path)
    case 24: self = .noKnownAccessPoint(received: try fields.integer(12).required(12))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension UntrustedAdapter: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, id)
    message.put(2, path)
    message.put(3, name)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(id: try fields.text(1).required(1), path: try fields.text(2).required(2), name: try fields.text(3))
  }
}

extension PortHolder: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .unknown: message.put(1, 0 as UInt64)
    case .process(let pid, let name):
      message.put(1, 1 as UInt64)
      message.put(2, signed: Int64(pid))
      message.put(3, name)
    case .likely(let service):
      message.put(1, 2 as UInt64)
      message.put(3, service)
    case .console(let tty):
      message.put(1, 3 as UInt64)
      message.put(3, tty)
    case .ownLock(let pid):
      message.put(1, 4 as UInt64)
      message.put(2, signed: pid.map(Int64.init))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .unknown
    case 1: self = .process(pid: try fields.signedInteger(2).required(2), name: try fields.text(3).required(3))
    case 2: self = .likely(service: try fields.text(3).required(3))
    case 3: self = .console(tty: try fields.text(3).required(3))
    case 4: self = .ownLock(pid: try fields.signedInteger(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

extension OpenFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    let code: UInt64 =
      switch self {
      case .doesNotExist: 0
      case .isDirectory: 1
      case .isRegularFile: 2
      case .isFIFO: 3
      case .isNotSerialPort: 4
      case .vanished: 5
      case .system: 6
      case .notConnected: 7
      }
    message.put(1, code)
    if case .notConnected(let failure) = self { message.put(4, failure) }
    guard case .system(let operation, let errno) = self else { return }
    message.put(2, operation)
    message.put(3, signed: Int64(errno))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    switch try fields.number(1).required(1) {
    case 0: self = .doesNotExist
    case 1: self = .isDirectory
    case 2: self = .isRegularFile
    case 3: self = .isFIFO
    case 4: self = .isNotSerialPort
    case 5: self = .vanished
    case 6: self = .system(operation: try fields.text(2).required(2), errno: try fields.signedInteger(3).required(3))
    case 7: self = .notConnected(try fields.code(4).required(4))
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 is the case, 2 the socket or address that it is about.
extension HandoverProblem: MessageContent {
  func write(to message: inout MessageWriter) {
    let (code, place): (UInt64, String?) =
      switch self {
      case .denied(let socket): (0, socket)
      case .noSocket(let socket): (1, socket)
      case .refused: (2, nil)
      case .noAnswer: (3, nil)
      case .elsewhere(let gpsd): (4, gpsd)
      case .unminded: (5, nil)
      }
    message.put(1, code)
    message.put(2, place)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let place = try fields.text(2) ?? ""
    switch try fields.number(1).required(1) {
    case 0: self = .denied(socket: place)
    case 1: self = .noSocket(place)
    case 2: self = .refused
    case 3: self = .noAnswer
    case 4: self = .elsewhere(gpsd: place)
    case 5: self = .unminded
    case let code: throw .unknownCode(field: 1, found: code)
    }
  }
}
