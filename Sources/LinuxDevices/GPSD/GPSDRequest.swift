import Geodesy
internal import LinuxIO

/// A request to gpsd on a connection (gpsd_json(5)).
package enum GPSDRequest: Hashable, Sendable {
  /// gpsd's list of devices; gpsd opens none of them for this.
  case devices
  /// The raw bytes of one receiver.
  case raw(device: String)
  /// gpsd's reports about one receiver.
  case reports(device: String)

  /// The request's line; `nil` if the device's name cannot be sent, because gpsd accepts only ASCII without escapes.
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

/// The address of a gpsd.
package struct GPSDEndpoint: Hashable, Sendable {
  /// A name or a numeric address.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The endpoint's addresses if no name lookup is necessary; `nil` if `host` is a name.
  var numericAddresses: [NetworkAddress]? {
    // Both, in this order: if IPv6 is disabled, gpsd listens only on the first.
    let names = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
    let addresses = names.compactMap { NetworkAddress(numeric: $0, port: port) }
    return addresses.isEmpty ? nil : addresses
  }
}

/// Splits gpsd's output into lines, and finds the place where its JSON ends and a receiver's raw bytes begin.
package struct GPSDLines: Sendable {
  /// gpsd truncates its own objects to this size, including the line end (gpsd_json(5)): a longer line does not come
  /// from gpsd.
  package static let maximumLine = 10_240

  /// Number of lines that were too long and were dropped.
  package private(set) var overlong = 0
  private var pending: [UInt8] = []
  private var isSkipping = false

  package init() {}

  /// Calls `body` with each line, without its end, until `body` returns `false` because raw bytes follow. Returns the
  /// index at which the raw bytes begin; `bytes.endIndex` if all bytes were used.
  package mutating func receive(_ bytes: ArraySlice<UInt8>, _ body: ([UInt8]) -> Bool) -> Int {
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

  /// Whether a line is the greeting of locationd, which speaks gpsd's protocol, too.
  static func isOfLocationService(_ line: [UInt8]) -> Bool {
    line.starts(with: #"{"class":"VERSION","#.utf8)
      && String(decoding: line, as: UTF8.self).holds(#""rev":"locationd "#)
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
