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
