package import Diagnosis
import Geodesy
package import LocationIPC
package import LocationdService
import TrackFormats

/// The report of a self-test, which the user can attach to an issue: JSON with one line for each part, so that people
/// can read it before they send it. It contains no position, serial number, hardware address, host name, path or user
/// name. Receivers are only numbered: two reports do not show whether they are about the same receiver or machine.
package struct SelftestReport {
  private let test: SelfTest
  private let receivers: [DeviceDescription]
  private let source: SourceSelection
  private let minutes: Double

  package init(_ test: SelfTest, of receivers: [DeviceDescription], source: SourceSelection, minutes: Double) {
    (self.test, self.receivers, self.source, self.minutes) = (test, receivers, source, minutes)
  }

  package var text: [UInt8] {
    var head = JSONObject()
    head.add("schema", .number(JSONObject.schema))
    head.add("report", .text("selftest"))
    head.add("version", .text(Release.current))
    head.add("date", .text(EventDate.today))
    head.add("minutes", .number(minutes, decimals: 2))
    let virtual = virtualParts
    head.add("virtual", .flag(!virtual.isEmpty))
    if !virtual.isEmpty { head.add("virtualParts", .list(virtual)) }
    var text = "{\n"
    // The members of an object without its braces, on one line.
    for part in [head] { text += "  " + String(decoding: part.closed.dropFirst().dropLast(), as: UTF8.self) + ",\n" }
    text += "  \"system\": " + String(decoding: system.closed, as: UTF8.self) + ",\n"
    text += "  \"receivers\": " + Self.lines(receivers.enumerated().map { Self.object($1, number: $0 + 1) }) + ",\n"
    text += "  \"checks\": " + Self.lines(test.checks.map(Self.scrubbed)) + "\n}\n"
    return Array(text.utf8)
  }

  /// The reasons why this is not a test of real hardware; empty if it is one.
  private var virtualParts: [String] {
    var parts: [String] = []
    if source == .simulator || test.series.isSimulated { parts.append("simulated receiver") }
    let paths = receivers.map(\.path) + [test.series.device].compactMap(\.self)
    if paths.contains(where: { $0.hasPrefix("/dev/pts/") }) { parts.append("pseudo-terminal") }
    if test.system.isVirtualMachine { parts.append("virtual machine") }
    return parts
  }

  private var system: JSONObject {
    var object = JSONObject()
    let system = test.system
    object.add("kernel", .text(system.kernel.map(ReportScrubber.scrubbed)))
    object.add("architecture", .text(system.architecture))
    object.add("distribution", .text(system.distribution.map(ReportScrubber.scrubbed)))
    object.add("board", .text(system.board.map(ReportScrubber.scrubbed)))
    object.add("processors", .number(system.processors))
    object.add("memoryMegabytes", .number(system.memoryMegabytes))
    object.add("container", .flag(system.isContainer))
    object.add("virtualMachine", .flag(system.isVirtualMachine))
    object.add("daemon", .flag(test.isMeasuringDaemon))
    return object
  }

  private static func object(_ device: DeviceDescription, number: Int) -> JSONObject {
    var object = JSONObject()
    object.add("number", .number(number))
    object.add("chip", .text(device.chip.map(ReportScrubber.scrubbed)))
    object.add("firmware", .text(device.firmware.map(ReportScrubber.scrubbed)))
    object.add("product", .text(device.product.map(ReportScrubber.scrubbed)))
    object.add("vendorId", .text(device.usbVendorID.map(hex)))
    object.add("productId", .text(device.usbProductID.map(hex)))
    object.add("protocol", .text(device.protocolName))
    object.add("baud", .number(device.baud))
    object.add("kind", .text(device.kind.name))
    return object
  }

  private static func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// The sentences come from this program, but are filtered all the same.
  private static func scrubbed(_ check: SelfTestCheck) -> JSONObject {
    var check = check
    check.sentence = ReportScrubber.scrubbed(check.sentence)
    return SelftestList.object(check)
  }

  private static func lines(_ objects: [JSONObject]) -> String {
    guard !objects.isEmpty else { return "[]" }
    return "[\n" + objects.map { "    " + String(decoding: $0.closed, as: UTF8.self) }.joined(separator: ",\n")
      + "\n  ]"
  }
}

/// Removes text from devices and files that may identify a machine or a place.
package enum ReportScrubber {
  private static let longest = 120

  /// The text, with `…` for each word that looks like a serial number, a hardware address or a coordinate: eight or
  /// more letters and digits, at least four of them digits, except the hardware version of a u-blox; six or more pairs
  /// of hexadecimal digits; or a number with four or more decimals.
  package static func scrubbed(_ text: String) -> String {
    let text = TerminalText.sanitized(text, limit: longest)
    var result = ""
    var word = ""
    for character in text {
      if isPart(character) {
        word.append(character)
      } else {
        result += kept(word)
        word = ""
        result.append(character)
      }
    }
    return result + kept(word)
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == ":" || character == "." || character == "_"
  }

  private static func kept(_ word: String) -> String {
    let groups = word.split(separator: ":", omittingEmptySubsequences: false)
    if groups.count >= 6, groups.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) { return "…" }
    let parts = word.split { $0 == ":" || $0 == "_" }
    if parts.contains(where: { isCoordinate($0) || isSerialNumber($0) }) { return "…" }
    return word
  }

  private static func isCoordinate(_ word: Substring) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1].count >= 4 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }

  /// The hardware version of a u-blox receiver (UBX-MON-VER): `00080000`, `000A0000`.
  private static func isHardwareVersion(_ word: Substring) -> Bool {
    word.count == 8 && word.hasPrefix("00") && word.hasSuffix("0000")
  }

  private static func isSerialNumber(_ word: Substring) -> Bool {
    word.split(separator: ".").contains { part in
      part.count >= 8 && part.count(where: \.isNumber) >= 4 && !isHardwareVersion(part)
    }
  }
}

/// The date of a report.
private enum EventDate {
  /// `2026-11-24`, in UTC.
  static var today: String? { (Timestamp(GNSSTime.ofThisMachine)?.iso8601).map { String($0.prefix(10)) } }
}
