import FleetDestinations
import Geodesy
import LocationPolicy

extension ServiceStatus: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, version)
    message.put(2, signed: processID.map(Int64.init))
    message.put(3, runningFor)
    message.put(4, source)
    message.put(5, clients, limit: MessageLimits.clients)
    message.put(6, devices, limit: MessageLimits.devices)
    message.put(7, lastFixAge)
    message.put(8, logs, limit: MessageLimits.logs)
    message.put(9, isOn)
    message.put(10, indicator)
    message.put(11, usage, limit: MessageLimits.clients)
    message.put(12, plan == .nothing ? nil : plan)
    message.put(13, isOffByLoss)
    message.put(14, wifi)
    message.put(15, backgroundCount == 0 ? nil : UInt64(clamping: backgroundCount))
    message.put(16, background?.identity)
    message.put(17, background?.name)
    message.put(21, isSkyHidden ? true : nil)
    message.put(22, lastFixRadius68?.value)
    message.put(23, satellitesUsed.map { UInt64(clamping: $0) })
    message.put(24, satellitesInView.map { UInt64(clamping: $0) })
    message.put(25, corrections)
    message.put(20, bounds.isEmpty ? nil : bounds, limit: MessageLimits.bounds)
    message.put(26, ports.isEmpty ? nil : ports, limit: MessageLimits.ports)
    message.put(27, time)
    message.put(28, fleet.isEmpty ? nil : fleet, limit: MessageLimits.destinations)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(source: try fields.text(4).required(4))
    version = try fields.text(1)
    processID = try fields.signedInteger(2)
    runningFor = try fields.duration(3).required(3)
    clients = try fields.list(5, limit: MessageLimits.clients).required(5)
    devices = try fields.list(6, limit: MessageLimits.devices).required(6)
    lastFixAge = try fields.duration(7)
    logs = try fields.list(8, limit: MessageLimits.logs) ?? []
    isOn = try fields.flag(9) ?? true
    indicator = try fields.code(10) ?? .none
    usage = try fields.list(11, limit: MessageLimits.clients) ?? []
    plan = try fields.content(12) ?? .nothing
    isOffByLoss = try fields.flag(13) ?? false
    wifi = try fields.content(14)
    backgroundCount = try fields.integer(15) ?? 0
    let name = try fields.text(17)
    if let identity: ClientIdentity = try fields.content(16) { background = LocationUser(identity, name: name) }
    isSkyHidden = try fields.flag(21) ?? false
    lastFixRadius68 = try fields.double(22).map { Meters($0) }
    satellitesUsed = try fields.integer(23)
    satellitesInView = try fields.integer(24)
    corrections = try fields.content(25)
    bounds = try fields.list(20, limit: MessageLimits.bounds) ?? []
    ports = try fields.list(26, limit: MessageLimits.ports) ?? []
    time = try fields.content(27)
    fleet = try fields.list(28, limit: MessageLimits.destinations) ?? []
  }
}

extension ClientStatus: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, purpose)
    message.put(3, signed: processID.map(Int64.init))
    message.put(4, userID.map(UInt64.init))
    message.put(5, connectedFor)
    message.put(6, UInt64(clamping: oneShots))
    message.put(7, UInt64(clamping: streams))
    message.put(8, UInt64(clamping: skies))
    message.put(9, identity)
    message.put(10, level)
    message.put(11, presence)
    message.put(12, paused == 0 ? nil : UInt64(clamping: paused))
    message.put(13, resting == 0 ? nil : UInt64(clamping: resting))
    message.put(14, undecided == 0 ? nil : UInt64(clamping: undecided))
    message.put(15, port)
    message.put(16, connections == 1 ? nil : UInt64(clamping: connections))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(name: try fields.text(1).required(1))
    purpose = try fields.text(2)
    processID = try fields.signedInteger(3)
    userID = try fields.integer(4)
    connectedFor = try fields.duration(5)
    oneShots = try fields.integer(6).required(6)
    streams = try fields.integer(7).required(7)
    skies = try fields.integer(8).required(8)
    identity = try fields.content(9)
    level = try fields.code(10)
    presence = try fields.code(11)
    paused = try fields.integer(12) ?? 0
    resting = try fields.integer(13) ?? 0
    undecided = try fields.integer(14) ?? 0
    port = try fields.code(15)
    connections = try fields.integer(16) ?? 1
  }
}

extension PortStatus: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, protocolName)
    message.put(2, address)
    message.put(3, state)
    message.put(4, isPassed ? true : nil)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      protocolName: try fields.code(1).required(1), address: try fields.text(2).required(2),
      state: try fields.code(3).required(3), isPassed: try fields.flag(4) ?? false)
  }
}

extension DeviceDescription: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, id)
    message.put(2, path)
    message.put(3, usbVendorID.map(UInt64.init))
    message.put(4, usbProductID.map(UInt64.init))
    message.put(5, product)
    message.put(6, chip)
    message.put(7, firmware)
    message.put(8, protocolName)
    message.put(9, baud.map { UInt64(clamping: $0) })
    message.put(10, kind)
    message.put(11, state)
    message.put(12, owner)
    message.put(13, name)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      id: try fields.text(1).required(1), path: try fields.text(2).required(2), kind: try fields.code(10).required(10),
      state: try fields.code(11).required(11))
    usbVendorID = try fields.integer(3)
    usbProductID = try fields.integer(4)
    product = try fields.text(5)
    chip = try fields.text(6)
    firmware = try fields.text(7)
    protocolName = try fields.text(8)
    baud = try fields.integer(9)
    owner = try fields.code(12)
    name = try fields.text(13)
  }
}

/// Field 1 is the mode of the satellite receivers, 2 the interval of their positions if they may sleep; 3 the interval of Wi-Fi
/// scans; 4 the reason, 5 its radius.
extension PowerPlan: MessageContent {
  func write(to message: inout MessageWriter) {
    switch satellites {
    case .off: message.put(1, 0 as UInt64)
    case .on: message.put(1, 1 as UInt64)
    case .sparing(let period):
      message.put(1, 2 as UInt64)
      message.put(2, period)
    }
    message.put(3, wifiPeriod)
    switch reason {
    case .noClient: message.put(4, 0 as UInt64)
    case .accuracy(let radius):
      message.put(4, 1 as UInt64)
      message.put(5, radius?.value)
    case .satellites: message.put(4, 2 as UInt64)
    case .wifiSuffices(let radius):
      message.put(4, 3 as UInt64)
      message.put(5, radius.value)
    case .stillOnWiFi: message.put(4, 4 as UInt64)
    case .askingWiFi: message.put(4, 6 as UInt64)
    case .trial: message.put(4, 5 as UInt64)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let satellites: Satellites
    switch try fields.number(1).required(1) {
    case 0: satellites = .off
    case 1: satellites = .on
    case 2: satellites = .sparing(try fields.duration(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
    let reason: Reason
    switch try fields.number(4).required(4) {
    case 0: reason = .noClient
    case 1: reason = .accuracy(try fields.double(5).map { Meters($0) })
    case 2: reason = .satellites
    case 3: reason = .wifiSuffices(Meters(try fields.double(5).required(5)))
    case 4: reason = .stillOnWiFi
    case 6: reason = .askingWiFi
    case 5: reason = .trial
    case let code: throw .unknownCode(field: 4, found: code)
    }
    self.init(satellites: satellites, wifiPeriod: try fields.duration(3), reason: reason)
  }
}

extension ReachedBound: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, bound.kind)
    message.put(2, UInt64(clamping: bound.limit))
    message.put(3, bound.userID.map(UInt64.init))
    message.put(4, UInt64(clamping: times))
    message.put(5, ago)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let bound = ServiceBound(
      try fields.code(1).required(1), limit: try fields.integer(2).required(2), userID: try fields.integer(3))
    self.init(bound, times: try fields.integer(4).required(4), ago: try fields.duration(5).required(5))
  }
}
