import Geodesy
import TimeService
import WireFormats

/// Any bytes as stored delays (with and without a checksum that fits), as the kernel's text of a pulse, and as the configuration of chrony
/// and of a Raspberry Pi, and as messages of the helper that may set the clock: refused, or values in their ranges that are encoded as they were read.
func checkTime(_ bytes: [UInt8]) {
  let checksum = CRC32C.of(bytes)
  for stored in [bytes, bytes + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: checksum >> $0) }] {
    guard let table = CalibrationTable(stored) else { continue }
    precondition(table.entries.count <= CalibrationTable.mostEntries && table.encoded == stored, "another encoding")
    precondition(table.entries.allSatisfy { abs($0.delay.seconds) < 10 && $0.delay.uncertaintySeconds > 0 })
  }
  let text = String(decoding: bytes, as: UTF8.self)
  if let pulse = PulseReading(assert: text) {
    precondition(pulse.sequence != 0 && pulse.system.nanosecondsSince1970 >= 0)
  }
  let lines = text.count { $0.isNewline } + 1
  let configuration = ChronyConfiguration(text)
  precondition(configuration.directives.allSatisfy { (1...lines).contains($0.line.number) })
  _ = ChronyFinding.check(configuration)
  let order = (bytes + [UInt8](repeating: 0, count: TimeOrder.size)).prefix(TimeOrder.size)
  if let order = TimeOrder(order) { precondition(TimeOrder(order.encoded[...]) == order, "another order") }
  if let answer = TimeAnswer(order.prefix(TimeAnswer.size)) {
    precondition(TimeAnswer(answer.encoded[...]) == answer, "another answer")
  }
  if case .present(let line)? = PulseOverlay()?.check(text) { precondition((1...lines).contains(line)) }
}
