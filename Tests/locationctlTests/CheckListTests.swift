import Diagnosis
import LocationIPC
import Testing
import locationctl

/// The checklist of `doctor` for people.
@Suite struct CheckListTests {
  private var checks: [Check] {
    var machine = MachineFacts()
    machine.power.isUnderVoltage = true
    var receiver = ReceiverFacts(device: "/dev/ttyACM0")
    receiver.bytes = 900
    receiver.validFrames = 30
    receiver.positionMessages = 10
    receiver.listsSatellites = true
    receiver.satellitesTracked = 3
    receiver.strongestSignal = 21
    return Diagnosis(subject: .automatic, machine: machine, receivers: [receiver], failure: nil).checks
  }

  private func text(width: Int? = nil, usesUnicode: Bool = true, usesColor: Bool = false) -> String {
    let look = Presentation(usesColor: usesColor, usesUnicode: usesUnicode, width: width, showsLocalTime: false)
    return String(decoding: CheckList.text(checks, look), as: UTF8.self)
  }

  @Test func eachFindingHasItsRemedyBelow() {
    #expect(
      text(width: 80) == """
        ! power      The supply voltage of the board is too low, and USB devices are the
                     first to fail.
                     → Use the official power supply of the board and a short, thick
                     cable; check with 'vcgencmd get_throttled'.
        ✓ receiver   /dev/ttyACM0
        ✓ port       /dev/ttyACM0 is open
        ✓ baud       no baud rate (USB), 900 bytes received
        ✓ data       30 messages, none damaged
        ✗ antenna    The receiver on /dev/ttyACM0 receives 3 satellites, the strongest
                     at 21 dB-Hz: too weak for a fix.
                     → Give its antenna a free view of the sky, away from USB 3 and
                     HDMI.
        – fix        not checked, because of 'antenna'

        2 problems found: there is no position.

        """)
  }

  /// A terminal whose locale is not UTF-8 gets ASCII.
  @Test func marksAreASCIIWithoutUTF8() {
    let plain = text(width: 80, usesUnicode: false)
    #expect(plain.utf8.allSatisfy { $0 < 0x80 }, "\(plain)")
    #expect(plain.contains("x antenna") && plain.contains("+ data") && plain.contains("-> Give its antenna"))
  }

  @Test func colorsAreAdded() {
    #expect(text(usesColor: true).contains("\u{1B}[0;31m✗\u{1B}[0m\u{1B}[0;31m antenna\u{1B}[0m"))
  }

  @Test(arguments: [40, 60, 80, 120]) func noLineIsTooWide(width: Int) {
    for line in text(width: width).split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }
}
