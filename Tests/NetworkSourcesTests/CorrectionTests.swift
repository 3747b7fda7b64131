import Geodesy
import NetworkSources
import TestSupport
import Testing

/// Frames of RTCM 3, and which of them a receiver gets.
@Suite struct CorrectionTests {
  private let start = Instant(nanoseconds: 0)

  private func frames(_ bytes: [UInt8], pieces: [Int]) -> (frames: [[UInt8]], framer: RTCMFramer) {
    var framer = RTCMFramer()
    var found: [[UInt8]] = []
    var (start, index) = (0, 0)
    while start < bytes.count {
      let end = min(bytes.count, start + pieces[index % pieces.count])
      framer.push(bytes.span.extracting(start..<end)) { found.append($0.bytes) }
      (start, index) = (end, index + 1)
    }
    return (found, framer)
  }

  @Test func exampleOfTheStandard() throws {
    let frame = try #require(RTCMFrame(RTCMSample.example))
    #expect(frame.messageNumber == 1005)
    let station = try #require(ReferenceStation(frame))
    #expect(station.id == 2003)
    let expected = try #require(
      EarthCentered(xMeters: 1_114_104.5999, yMeters: -4_850_729.7108, zMeters: 3_975_521.4643).geodetic())
    #expect(Geodesic.inverse(from: station.coordinate, to: expected.coordinate).distance.value < 1e-4)
    #expect((station.heightAboveEllipsoid.value - expected.height.value).magnitude < 1e-4)
  }

  /// Whole frames, the longest, an empty one, noise that looks like a beginning, and wrong checksums, cut at every byte and at random.
  @Test func anyCut() throws {
    let longest = RTCMSample.bytes(of: RTCMSample.message(1077, length: 1023))
    let empty = RTCMSample.bytes(of: [])
    var broken = RTCMSample.example
    broken[10] ^= 1
    var bytes: [UInt8] = Array("\r\nServer: x\r\n".utf8)
    for part in [
      RTCMSample.example, [0xD3, 0x00], longest, [0xD3, 0xD3, 0x03], empty, broken, RTCMSample.example,
      [0xD3, 0x03, 0xFF, 0x00], longest, longest,
    ] { bytes += part }
    let expected = [RTCMSample.example, longest, empty, RTCMSample.example, longest, longest]
    var random = SplitMix64(seed: 1)
    var cuts: [[Int]] = [[bytes.count], [1], [2], [3], [1000]]
    for _ in 0..<30 { cuts.append((0..<20).map { _ in Int.random(in: 1...700, using: &random) }) }
    for first in 1..<200 { cuts.append([first, bytes.count]) }
    for cut in cuts {
      let (found, framer) = frames(bytes, pieces: cut)
      #expect(found == expected)
      let used = found.reduce(0) { $0 + $1.count }
      #expect(Int(framer.noiseCount) + used + framer.pendingByteCount == bytes.count)
      #expect(framer.frameCount == 6 && framer.wrongChecksumCount >= 1)
    }
  }

  @Test func incompleteFrameIsDroppedWithTheConnection() {
    var (found, framer) = frames(Array(RTCMSample.example.dropLast()), pieces: [7])
    #expect(found.isEmpty && framer.pendingByteCount == 24)
    framer.reset()
    #expect(framer.pendingByteCount == 0 && framer.noiseCount == 24)
    let example = RTCMSample.example
    framer.push(example.span) { found.append($0.bytes) }
    #expect(found == [RTCMSample.example])
  }

  @Test func otherBytesAreNoFrame() {
    #expect(RTCMFrame([]) == nil && RTCMFrame([0xD3]) == nil && RTCMFrame(RTCMSample.example + [0]) == nil)
    #expect(RTCMFrame(Array(RTCMSample.example.dropLast())) == nil)
    #expect(RTCMFrame(RTCMSample.bytes(of: []))?.messageNumber == nil)
    #expect(RTCMFrame(RTCMSample.bytes(of: [0x3E]))?.messageNumber == nil)
  }

  @Test func onlyCorrectionsPass() throws {
    var gate = CorrectionGate()
    for (number, verdict) in [
      (1000, CorrectionGate.Verdict.otherMessage), (1001, .pass), (1077, .pass), (1230, .pass), (1231, .otherMessage),
      (4072, .pass), (4073, .otherMessage), (4094, .otherMessage), (0, .otherMessage),
    ] {
      #expect(gate.receive(try RTCMSample.frame(number), position: nil, at: start) == verdict, "\(number)")
    }
    let empty = try #require(RTCMFrame(RTCMSample.bytes(of: [])))
    #expect(gate.receive(empty, position: nil, at: start) == .otherMessage)
    #expect(gate.passedCount == 4 && gate.droppedCount == 6 && gate.passedByteCount == 4 * 46)
  }

  @Test func ageIsThatOfObservations() throws {
    var gate = CorrectionGate()
    #expect(gate.age(at: start) == nil && !gate.isStale(at: start))
    _ = gate.receive(try RTCMSample.frame(1074), position: nil, at: start)
    // The description of a station makes no correction newer.
    for second in 1...40 { _ = gate.receive(try RTCMSample.frame(1033), position: nil, at: start + .seconds(second)) }
    #expect(gate.age(at: start + .seconds(30)) == .seconds(30) && !gate.isStale(at: start + .seconds(30)))
    #expect(gate.isStale(at: start + .seconds(31)))
  }

  /// A false station holds back everything until one sends a place in reach.
  @Test func stationsFarAway() throws {
    let here = try #require(Coordinate(checkingLatitude: 0, longitude: 0))
    // On the equator, 1.1 km and 200 km to the east: 6,378,137 m from the axis.
    let near = try RTCMSample.station(id: 5, x: 63_781_369_000, y: 11_000_000, z: 0)
    let far = try RTCMSample.station(1005, id: 6, x: 63_750_020_000, y: 2_000_000_000, z: 0)
    var gate = CorrectionGate()
    #expect(gate.receive(try RTCMSample.frame(1077), position: here, at: start) == .pass && gate.station == nil)
    guard case .tooFar(let station, let distance) = gate.receive(far, position: here, at: start) else {
      Issue.record("passed")
      return
    }
    #expect(station.id == 6 && (199_000...201_000).contains(distance.value))
    guard case .tooFar = gate.receive(try RTCMSample.frame(1077), position: here, at: start) else {
      Issue.record("passed")
      return
    }
    #expect(gate.receive(near, position: here, at: start) == .pass)
    #expect(gate.distance.map { (1090...1110).contains($0.value) } == true && gate.station?.id == 5)
    #expect(gate.receive(try RTCMSample.frame(1077), position: here, at: start) == .pass)
    // Without a position, every station may be near.
    #expect(gate.receive(far, position: nil, at: start) == .pass)
  }

  @Test func queueIsShortAndNew() throws {
    var queue = CorrectionQueue()
    let frame = try RTCMSample.frame(1077, length: 994)
    for second in 0..<5 { queue.append(frame, at: start + .milliseconds(second * 500)) }
    // Four frames of 1,000 bytes fit; the oldest made room.
    #expect(queue.byteCount == 4000 && queue.droppedCount == 1)
    #expect(queue.next(at: start + .milliseconds(2500)) == frame && queue.droppedCount == 1)
    #expect(queue.next(at: start + .milliseconds(3001)) == frame && queue.droppedCount == 2)
    #expect(queue.next(at: start + .milliseconds(4001)) == nil && queue.droppedCount == 3)
    #expect(queue.isEmpty && queue.byteCount == 0)
  }

  @Test func paceOfAFile() throws {
    var pace = CorrectionPace()
    var pauses: [Duration] = []
    for (number, time) in [
      (1077, 604_799_000), (1087, 5), (1097, 604_799_000), (1005, 0), (1077, 0), (1077, 200), (1077, 100),
      (1077, 60_000_000),
    ] { pauses.append(pace.pause(before: try RTCMSample.frame(number, timeOfWeek: time))) }
    #expect(pauses == [.zero, .zero, .zero, .zero, .seconds(1), .milliseconds(200), .zero, .seconds(10)])
  }
}
