internal import Geodesy
package import LinuxIO
package import TimeService

/// Writes samples to the sockets and the shared memory of clock daemons.
package final class SampleWriter {
  private let sender: DatagramSender?
  private var segments: [UInt8: Segment] = [:]

  /// Which users may read a segment: the first two units belong to root alone, as ntpd has them.
  private static func mode(ofUnit unit: UInt8) -> Int32 { unit < 2 ? 0o600 : 0o666 }

  private final class Segment {
    let memory: SharedMemorySegment
    init(_ memory: consuming SharedMemorySegment) { self.memory = memory }
  }

  package init() { sender = try? DatagramSender() }

  /// Sends a sample to the socket of a chronyd, by its path.
  package func send(_ sample: TimeSample, to path: String) throws(SystemError) {
    let datagram = sample.sock.encoded
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SockSample.size)
    for index in datagram.indices { bytes.append(datagram[index]) }
    try sender?.send(bytes, to: path)
  }

  /// Writes a sample to a unit of shared memory, which is created if it does not exist.
  package func write(_ sample: TimeSample, toUnit unit: UInt8) throws(SystemError) {
    let segment: Segment
    if let open = segments[unit] {
      segment = open
    } else {
      segment = Segment(
        try SharedMemorySegment(
          key: SharedMemorySample.firstKey + Int32(unit), size: SharedMemorySample.size, mode: Self.mode(ofUnit: unit)))
      segments[unit] = segment
    }
    write(sample.sharedMemory, to: segment)
  }

  /// In the order of `SharedMemorySample`: a reader that sees `valid` 1 and the same count before and after has a whole sample.
  private func write(_ sample: SharedMemorySample, to segment: Segment) {
    let counts = SharedMemorySample.counts(after: segment.memory.integer(at: 4))
    let encoded = sample.encoded(count: counts.complete, isValid: true)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SharedMemorySample.size)
    for index in encoded.indices { bytes.append(encoded[index]) }
    segment.memory.store(0, at: 48)
    segment.memory.store(1, at: 0)
    segment.memory.store(counts.writing, at: 4)
    segment.memory.store(bytes[8..<48], at: 8)
    segment.memory.store(bytes[52...], at: 52)
    segment.memory.store(counts.complete, at: 4)
    segment.memory.store(1, at: 48)
  }
}
