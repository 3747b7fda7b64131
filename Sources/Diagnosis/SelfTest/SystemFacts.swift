import Geodesy

/// The properties of a machine that matter for a report, without anything that identifies the machine: no host name, no
/// serial number, no hardware address.
package struct SystemFacts: Hashable, Sendable {
  /// The kernel's release, `6.12.34+rpt-rpi-v8`.
  package var kernel: String?
  /// The architecture, `aarch64`.
  package var architecture: String?
  /// The distribution, `Debian GNU/Linux 13 (trixie)`.
  package var distribution: String?
  /// The board or the model of the computer.
  package var board: String?
  package var processors = 0
  package var memoryMegabytes: Int?
  package var isContainer = false
  /// Whether the machine is a virtual one.
  package var isVirtualMachine = false
  package var radios: [RadioFacts] = []

  package init() {}
}

/// One radio of the machine.
package struct RadioFacts: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case wifi, bluetooth }

  package var kind: Kind
  /// Switched off by software, or by a switch of the machine.
  package var isBlocked: Bool

  package init(_ kind: Kind, isBlocked: Bool) {
    self.kind = kind
    self.isBlocked = isBlocked
  }
}

/// The load of the machine and of one process at one time.
package struct SystemSample: Hashable, Sendable {
  /// Processor time of the process since it started.
  package var processorTime: Duration?
  /// Memory of the process, bytes.
  package var residentBytes: Int?
  /// Bytes that the process has caused to be written since it started; `nil`: this user may not see that.
  package var writtenBytes: Int?
  /// Bytes that all processes have written to disks and cards since the boot.
  package var machineWrittenBytes: Int?
  /// The highest temperature of any sensor, °C.
  package var temperatureCelsius: Double?
  /// The number of pulses of each PPS source so far.
  package var pulses: [String: Int] = [:]

  package init() {}
}

/// The first and the last sample of a stretch of time, and the peaks between them.
package struct SystemLoad: Hashable, Sendable {
  package private(set) var duration = Duration.zero
  private var first: SystemSample?
  private var last: SystemSample?
  package private(set) var peakTemperature: Double?
  package private(set) var peakResidentBytes: Int?

  package init() {}

  /// - Parameter elapsed: the time since the first sample.
  package mutating func add(_ sample: SystemSample, after elapsed: Duration) {
    first = first ?? sample
    last = sample
    duration = elapsed
    peakTemperature = [peakTemperature, sample.temperatureCelsius].compactMap(\.self).max()
    peakResidentBytes = [peakResidentBytes, sample.residentBytes].compactMap(\.self).max()
  }

  /// Share of one processor.
  package var processorShare: Double? {
    guard duration > .zero, let start = first?.processorTime, let end = last?.processorTime else { return nil }
    return max(0, (end - start).inSeconds / duration.inSeconds)
  }

  package var writtenBytes: Int? { difference(\.writtenBytes) }
  package var machineWrittenBytes: Int? { difference(\.machineWrittenBytes) }

  private func difference(_ value: KeyPath<SystemSample, Int?>) -> Int? {
    guard duration > .zero, let start = first?[keyPath: value], let end = last?[keyPath: value] else { return nil }
    return max(0, end - start)
  }

  /// The PPS sources, and how many of them pulsed.
  package var pulses: (sources: Int, pulsing: Int) {
    let sources = last?.pulses ?? [:]
    return (sources.count, sources.count { name, count in count > first?.pulses[name] ?? count })
  }
}
