import CAllocationCounter
import Glibc
import WireFormats

/// Decodes a recorded log completely (framing, checksums and all fields), and UBX frames, from memory in chunks of 4096 bytes.
func decodeBenchmark(path: String) -> Int32 {
  guard let log = contents(of: path), !log.isEmpty else {
    print("cannot read \(path)")
    return 66
  }
  let nmea = Workload(bytes: log)
  guard nmea.frames > 0 else {
    print("no frames in \(path)")
    return 65
  }
  let peer = ProcessTime.ofProgram("gpsdecode", ["-j"], input: path)
  // "gpsdecode revision 3.22"
  let version = ProcessTime.firstLine(of: "gpsdecode -V 2>&1").split(separator: " ").last ?? ""
  Figure(
    name: "nmea-decode", value: nmea.nanosecondsPerFrame(), unit: "ns/sentence", reach: 110,
    peer: "gpsdecode \(version)",
    peerValue: peer.map { Double($0) / Double(nmea.frames) }
  ).write()

  let ubx = Workload(bytes: ubxEpochs(1000))
  Figure(name: "ubx-decode", value: ubx.nanosecondsPerFrame(), unit: "ns/frame").write()

  guard CAllocationCounter_isAvailable() else { return 0 }
  let allocations = nmea.allocations()
  Figure(
    name: "nmea-decode-allocations", value: Double(allocations) / Double(nmea.frames), unit: "per sentence", reach: 0
  ).write()
  let framed = ubx.allocations()
  Figure(name: "ubx-decode-allocations", value: Double(framed) / Double(ubx.frames), unit: "per frame", reach: 0)
    .write()
  return allocations == 0 && framed == 0 ? 0 : 1
}

/// Bytes to decode, and the number of frames in them.
private struct Workload {
  let bytes: [UInt8]
  let frames: UInt64

  init(bytes: [UInt8]) {
    self.bytes = bytes
    var decoder = WireDecoder()
    decoder.push(bytes.span) { _ in }
    frames = decoder.counters.validFrames
  }

  func nanosecondsPerFrame() -> Double {
    var decoder = WireDecoder()
    var messages = 0
    let passes = max(1, 200_000 / Int(frames))
    let time = ProcessTime.median {
      for _ in 0..<passes { decode(&decoder, &messages) }
    }
    precondition(messages > 0, "nothing was decoded")
    return Double(time) / Double(passes) / Double(frames)
  }

  /// The heap blocks that an existing decoder allocates in one pass.
  func allocations() -> UInt64 {
    var decoder = WireDecoder()
    var messages = 0
    CAllocationCounter_start()
    decode(&decoder, &messages)
    let count = CAllocationCounter_stop()
    precondition(messages > 0, "nothing was decoded")
    return count
  }

  private func decode(_ decoder: inout WireDecoder, _ messages: inout Int) {
    let span = bytes.span
    var start = 0
    while start < span.count {
      let end = min(start + 4096, span.count)
      decoder.push(span.extracting(start..<end)) { message in
        // The result is used, so that the compiler does not optimize the decoding away.
        if isFix(message) { messages += 1 }
      }
      start = end
    }
  }
}

@inline(never) private func isFix(_ message: borrowing WireMessage) -> Bool {
  switch copy message {
  case .nmea(.rmc(let rmc), _): rmc.latitudeNanodegrees != nil
  case .ubx(.navPVT(let pvt)): pvt.isFixOK
  case .nmea, .ubx: false
  }
}

/// The output of a UBX receiver in this many epochs: NAV-PVT, NAV-DOP, NAV-SAT with 30 satellites, NAV-EOE.
private func ubxEpochs(_ count: Int) -> [UInt8] {
  var pvt = [UInt8](repeating: 0, count: 92)
  pvt.replaceSubrange(20..<22, with: [3, 1])
  var satellites: [UInt8] = [0, 0, 0, 0, 1, 30, 0, 0]
  for number in 1...30 as ClosedRange<UInt8> { satellites += [0, number, 40, 45, 90, 0, 0, 0, 0x0F, 0, 0, 0] }
  let epoch =
    UBXFrame.encode(class: 0x01, id: 0x07, payload: pvt)
    + UBXFrame.encode(class: 0x01, id: 0x04, payload: [UInt8](repeating: 0, count: 18))
    + UBXFrame.encode(class: 0x01, id: 0x35, payload: satellites)
    + UBXFrame.encode(class: 0x01, id: 0x61, payload: [0, 0, 0, 0])
  return Array(repeatElement(epoch, count: count).joined())
}

func contents(of path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    guard count >= 0 else { return nil }
    guard count > 0 else { return bytes }
    bytes += chunk[..<count]
  }
}
