internal import LinuxIO

/// What is asked of gpsd on a connection (gpsd_json(5)).
package enum GPSDRequest: Hashable, Sendable {
  /// The list of its devices; opens none.
  case devices
  /// The bytes of one receiver, as they come.
  case raw(device: String)
  /// What gpsd makes of one receiver.
  case reports(device: String)

  /// The line that asks it; `nil` where a device's name cannot be told in one: gpsd takes ASCII without escapes.
  var line: String? {
    switch self {
    case .devices: return "?DEVICES;\n"
    case .raw(let device): return watch(#""raw":2"#, device)
    case .reports(let device): return watch(#""json":true"#, device)
    }
  }

  private func watch(_ what: String, _ device: String) -> String? {
    guard
      device.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }),
      device.utf8.count < 128
    else { return nil }
    return #"?WATCH={"enable":true,\#(what),"device":"\#(device)"};"# + "\n"
  }
}

/// Where a gpsd listens.
package struct GPSDEndpoint: Hashable, Sendable {
  /// A name or a numeric address.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Its addresses where no resolver has to be asked; `nil`: it is a name.
  var numericAddresses: [NetworkAddress]? {
    // Both, in this order: where IPv6 is off, gpsd listens on the first alone.
    let names = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
    let addresses = names.compactMap { NetworkAddress(numeric: $0, port: port) }
    return addresses.isEmpty ? nil : addresses
  }
}

/// Cuts what gpsd sends into lines, and tells where its JSON ends and a receiver's bytes begin.
package struct GPSDLines: Sendable {
  /// gpsd cuts its own objects there, line end included (gpsd_json(5)); whoever sends more is no gpsd.
  package static let maximumLine = 10_240

  /// Lines that were longer and are left out.
  package private(set) var overlong = 0
  private var pending: [UInt8] = []
  private var isSkipping = false

  package init() {}

  /// Takes bytes; calls `body` with each line, without its end, until it says that what follows is no line any more.
  /// Returns where that is; `bytes.count` where all were taken.
  package mutating func take(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Bool) -> Int {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      append(bytes[start..<end])
      start = end + 1
      var line: [UInt8] = []
      swap(&line, &pending)
      let isWhole = !isSkipping
      isSkipping = false
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if isWhole, !line.isEmpty, !body(line) { return start }
    }
    append(bytes[start...])
    return bytes.endIndex
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !isSkipping else { return }
    guard pending.count + bytes.count <= Self.maximumLine else {
      overlong += 1
      isSkipping = true
      pending.removeAll(keepingCapacity: true)
      return
    }
    pending += bytes
  }
}
