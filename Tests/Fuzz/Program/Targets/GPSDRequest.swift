import GPSDServer
import Geodesy
import LocationIPC

/// Bytes of a client of gpsd's protocol: the answers do not depend on how the bytes are cut, every line is a bounded object, and the
/// session never waits for more than its limits.
func checkGPSDRequest(_ input: [UInt8]) {
  var device = DeviceDescription(id: "usb-1546-01a9", path: "/dev/ttyACM0", kind: .receiver, state: .fixing)
  (device.protocolName, device.baud) = ("ubx", 9600)
  let clock = GNSSTime(nanosecondsSince1970: 1_772_368_496_000_000_000)
  let start = Instant(nanoseconds: 1_000_000_000_000)
  var devices = GPSDDeviceList()
  devices.update([device], clock: clock)
  var limits = GPSDSession.Limits()
  (limits.requestsPerSecond, limits.answerBytes) = (10_000, 1 << 30)
  let bytes = Array(input.prefix(4096))

  func output(_ parts: [ArraySlice<UInt8>], _ access: GPSDAccess) -> [UInt8] {
    var session = GPSDSession(access: access, devices: devices, limits: limits, at: start)
    for part in parts where session.isReading {
      for action in session.handle(.received(Array(part)), at: start, clock: clock) {
        if case .close = action { precondition(session.isOver) }
      }
    }
    if !session.isOver, let deadline = session.nextDeadline { precondition(deadline > start) }
    var output: [UInt8] = []
    while !session.unsent.isEmpty {
      let part = session.unsent
      output += part
      _ = session.handle(.sent(part.count), at: start, clock: clock)
    }
    return output
  }

  let whole = output([bytes[...]], .full)
  precondition(whole == output(bytes.indices.map { bytes[$0...$0] }, .full), "depends on the cuts")
  let cut = bytes.count / 2
  precondition(whole == output([bytes[..<cut], bytes[cut...]], .full), "depends on the cuts")
  for answer in [whole, output([bytes[...]], .denied)] {
    for line in answer.split(separator: 0x0A) {
      precondition(line.count < GPSDObjectBuffer.longestObject && line.last == 0x0D, "no bounded line")
      // A client that watches sentences and has no access receives those without a position.
      let isObject = line.first == UInt8(ascii: "{") && line.dropLast().last == UInt8(ascii: "}")
      precondition(isObject || line.starts(with: Array("$GN".utf8)), "neither object nor sentence")
      precondition(line.dropLast().allSatisfy { (0x20..<0x7F).contains($0) }, "a character that is not ASCII")
    }
  }
}
