import Geodesy
import NetworkSources

/// Any bytes as a stream of corrections: however they are cut, the same frames come out, every byte is accounted for, and what the
/// gate passes is what a receiver may get.
func checkRTCMFraming(_ bytes: [UInt8]) {
  let whole = FrameReading(bytes, pieces: [bytes.count])
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == FrameReading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == FrameReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  let used = whole.frames.reduce(0) { $0 + $1.bytes.count }
  precondition(used + whole.noise + whole.waiting == bytes.count && whole.waiting < RTCMFrame.longest)

  let now = Instant(nanoseconds: 0)
  let here = Coordinate(latitude: Angle(degrees: 48), longitude: Angle(degrees: 11))
  var gate = CorrectionGate()
  var queue = CorrectionQueue()
  var pace = CorrectionPace()
  for frame in whole.frames {
    precondition(RTCMFrame(frame.bytes) == frame, "no frame")
    let pause = pace.pause(before: frame)
    precondition(pause >= .zero && pause <= CorrectionPace.longestPause)
    let verdict = gate.receive(frame, position: here, at: now)
    if verdict == .pass {
      precondition(!gate.isTooFar && frame.messageNumber != nil)
      queue.append(frame, at: now)
    }
    precondition(queue.byteCount <= CorrectionQueue.capacity)
  }
  if let station = gate.station {
    precondition((-90...90).contains(station.coordinate.latitude.degrees) && (0...4095).contains(station.id))
  }
}

private struct FrameReading: Equatable {
  var frames: [RTCMFrame] = []
  var noise = 0
  var waiting = 0

  init(_ bytes: [UInt8], pieces: [Int]) {
    var framer = RTCMFramer()
    forEachPiece(of: bytes, pieces: pieces) { range in
      framer.push(bytes.span.extracting(range)) { frames.append($0) }
    }
    noise = Int(framer.noiseCount)
    waiting = framer.pendingByteCount
  }
}
