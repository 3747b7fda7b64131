import Glibc
import LocationIPC
import LocationPolicy
import Positioning
import Testing
import locationctl

@Suite struct FailureMessageTests {
  /// Without any known access point, another remedy helps than with some that are elsewhere.
  @Test func anEmptyDatabaseOfAccessPointsIsNamed() {
    let failure = LocationFailure.noKnownAccessPoint(received: 7)
    var account = WiFiAccount(learned: 0, imported: 0)
    let empty = FailureMessage(unknownAccessPoints: failure, beside: account)
    #expect(empty.status == .noSource)
    #expect(empty.text.hasPrefix("There is no database of Wi-Fi access points (7 in range)"), "\(empty.text)")
    #expect(empty.text.contains("'locationctl wifi import FILE'") && empty.text.contains("locationctl-wifi(1)"))
    account.learned = 1
    #expect(FailureMessage(unknownAccessPoints: failure, beside: account) == FailureMessage(failure))
    account.learned = 0
    account.provider = NetworkSourceStatus(name: "example.org", problem: nil)
    #expect(FailureMessage(unknownAccessPoints: failure, beside: account) == FailureMessage(failure))
    let alone = FailureMessage(
      unknownAccessPoints: .noKnownAccessPoint(received: 0), beside: WiFiAccount(learned: 0, imported: 0))
    #expect(!alone.text.contains("in range") && alone.text.contains("no database"))
  }

  static let port = "/dev/ttyUSB0"

  @Test(arguments: [
    (LocationFailure.noSource, CommandStatus.noSource, "No GNSS receiver was found"),
    (
      .untrustedAdapters([UntrustedAdapter(id: "cp210x-0001", path: port, name: "CP2102")]), .noSource,
      "serial adapter /dev/ttyUSB0 (CP2102): if so, run 'locationctl devices trust cp210x-0001'."
    ),
    (
      .untrustedAdapters([
        UntrustedAdapter(id: "a", path: port, name: nil), UntrustedAdapter(id: "b", path: port, name: nil),
      ]), .noSource, "(and 1 more, see 'locationctl devices')"
    ),
    (.untrustedAdapters([]), .noSource, "locationctl devices"),
    (
      .permissionDenied(path: port, group: "dialout"), .denied,
      "run 'sudo usermod -aG dialout $USER' and log in again."
    ),
    (.permissionDenied(path: port, group: nil), .denied, "udev rules"),
    (.portInUse(path: port, holder: .process(pid: 12, name: "gpsd")), .locationUnknown, "by gpsd (process 12)"),
    (.portInUse(path: port, holder: .likely(service: "ModemManager")), .locationUnknown, "probably by ModemManager"),
    (.portInUse(path: port, holder: .console(tty: "ttyS0")), .locationUnknown, "is a console (ttyS0)"),
    (.portInUse(path: port, holder: .ownLock(pid: 7)), .locationUnknown, "(process 7)"),
    (.portInUse(path: port, holder: .ownLock(pid: nil)), .locationUnknown, "wait until that program ends"),
    (.nothingReceivedYet(path: port, bytesSeen: 0), .locationUnknown, "--timeout"),
    (.nothingReceivedYet(path: port, bytesSeen: 700), .locationUnknown, "700 bytes"),
    (.noGPSD(address: "localhost:2947"), .noSource, "localhost:2947"),
    (.radio(.noRadio), .noSource, "rfkill unblock wifi"),
    (.radio(.noPrivilege), .denied, "location-scan.socket"),
    (.noKnownAccessPoint(received: 7), .noSource, "locationctl wifi import FILE"),
    (.noKnownAccessPoint(received: 1), .noSource, "the position of the only Wi-Fi access point in range is unknown"),
    (.noKnownAccessPoint(received: 0), .noSource, "No Wi-Fi access point is in range"),
    (.noReceiverAtGPSD(address: "[::1]:2947"), .noSource, "gpsdctl add"),
    (.portInUse(path: port, holder: .unknown), .locationUnknown, "sudo fuser -v /dev/ttyUSB0"),
    (
      .notHandedOver(path: port, to: .locationd, .denied(socket: "/run/gpsd.sock")), .denied,
      "run 'sudo gpsdctl remove /dev/ttyUSB0'"
    ),
    (
      .notHandedOver(path: port, to: .gpsd, .noSocket("/tmp/x")), .locationUnknown,
      "run 'sudo GPSD_SOCKET=/tmp/x gpsdctl add /dev/ttyUSB0'"
    ),
    (.notHandedOver(path: port, to: .locationd, .refused), .locationUnknown, "sudo gpsdctl remove"),
    (.notHandedOver(path: port, to: .locationd, .noAnswer), .locationUnknown, "does not answer"),
    (.notHandedOver(path: port, to: .gpsd, .elsewhere(gpsd: "pi:2947")), .locationUnknown, "(pi:2947)"),
    (
      .notHandedOver(path: port, to: .gpsd, .unminded), .locationUnknown,
      "the setting 'gpsd' (LOCATIOND_GPSD) of the location service is 'off'"
    ),
    (.cannotOpen(path: port, reason: .doesNotExist), .noSource, "There is no /dev/ttyUSB0"),
    (.cannotOpen(path: port, reason: .isDirectory), .usage, "is a directory"),
    (.cannotOpen(path: port, reason: .isRegularFile), .usage, "--source replay:/dev/ttyUSB0"),
    (.cannotOpen(path: port, reason: .isFIFO), .usage, "is a pipe"),
    (.cannotOpen(path: port, reason: .isNotSerialPort), .usage, "is not a serial port"),
    (.cannotOpen(path: port, reason: .vanished), .locationUnknown, "was unplugged"),
    (.cannotOpen(path: port, reason: .system(operation: "open", errno: EIO)), .noSource, "(open: input/output error)"),
    (.nothingReceived(path: port, bytesSeen: 0, speeds: [9600]), .noSource, "has power"),
    (
      .nothingReceived(path: port, bytesSeen: 33, speeds: [9600, 38400]), .noSource,
      "received 33 bytes, but no GNSS data at 9600, 38400 baud"
    ),
    (.noSatellites(path: port), .locationUnknown, "antenna"),
    (.noFixYet(path: port, satellitesInView: 1), .locationUnknown, "sees 1 satellite but"),
    (.noFixYet(path: port, satellitesInView: nil), .locationUnknown, "has no fix yet"),
    (.noUsableFix(path: port, qualityFlag: "frozen"), .locationUnknown, "(frozen)"),
    (.sourceEnded(path: "walk.nmea"), .locationUnknown, "walk.nmea ended before"),
    (.sourceEnded(path: port), .locationUnknown, "The receiver on /dev/ttyUSB0 was unplugged"),
    (.unknownDevice(selector: "x", known: ["a", "b"]), .noSource, "one of a, b"),
    (.unknownDevice(selector: "x", known: []), .noSource, "no device 'x'"),
    (.notKept(path: "/var/lib/locationd", reason: "the disk is full", .noRoom), .cannotWrite, "NOT stored"),
    (.cannotStore(path: "/var/lib/locationd", errno: EROFS), .cannotWrite, "LOCATIOND_STATE"),
  ]) func everyFailureHasItsSentence(failure: LocationFailure, status: CommandStatus, words: String) {
    let sentence = FailureMessage(failure)
    #expect(sentence.status == status)
    #expect(sentence.text.contains(words), "\(sentence.text)")
    // One sentence: it has one period, at its end, and one line.
    #expect(sentence.text.hasSuffix("."))
    #expect(!sentence.text.contains("\n"))
    #expect(!sentence.text.contains(". "))
  }

  /// The remedy for a mistyped name of a log is the name, and not another log.
  @Test(arguments: [
    ("wlk", ["drive", "walk"], true, "There is no log named 'wlk': did you mean 'walk'? (the logs are drive, walk)."),
    ("wlk", ["walk"], false, "You have no log named 'wlk': did you mean 'walk'?"),
    ("ride", ["drive-1", "walk"], true, "There is no log named 'ride': the logs are drive-1, walk."),
    ("ride", ["walk"], true, "There is no log named 'ride': the only log is 'walk'."),
    (
      "ride", ["walk"], false,
      "You have no log named 'ride': the only log is 'walk'; with sudo, you can use another user's log."
    ),
    ("ride", [], true, "There is no log named 'ride': 'locationctl log start' starts a log."),
  ]) func anUnknownLogIsNotStarted(name: String, known: [String], isRoot: Bool, text: String) {
    let message = FailureMessage(unknownLog: name, known, isRoot: isRoot)
    #expect(message.text == text && message.status == .noSource)
    if !known.isEmpty { #expect(!message.text.contains("log start")) }
    if isRoot { #expect(!message.text.contains("sudo")) }
  }

  /// No message should advise a user to join root's group.
  @Test func rootIsNoGroupToJoin() {
    #expect(!FailureMessage(.permissionDenied(path: Self.port, group: "root")).text.contains("usermod"))
  }

  @Test func hostileNamesCannotSteerTheTerminal() {
    let hostile = "\u{1B}[2J\n"
    let failures: [LocationFailure] = [
      .untrustedAdapters([UntrustedAdapter(id: hostile, path: hostile, name: hostile)]),
      .permissionDenied(path: hostile, group: hostile),
      .portInUse(path: hostile, holder: .process(pid: 1, name: hostile)),
      .noUsableFix(path: hostile, qualityFlag: hostile), .unknownDevice(selector: hostile, known: [hostile]),
    ]
    for failure in failures {
      let words = FailureMessage(failure).text
      #expect(!words.contains("\u{1B}"))
      #expect(!words.contains("\n"))
    }
  }
}
