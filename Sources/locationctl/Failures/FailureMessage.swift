import Diagnosis
import Geodesy
import LinuxIO
package import LocationIPC
import LocationPolicy
import LocationdHost
import Positioning
import TrackFormats

/// The message and the exit status of a command that fails: one sentence with the cause and what to do about it.
///
/// | cause | status | why this one |
/// |---|---|---|
/// | no source; no gpsd, or none with a receiver; untrusted adapters | 69 | there is no source that may be used |
/// | no permission | 77 | |
/// | port in use | 75 | there is a source, and it may be free at the next try |
/// | path does not exist | 69 | the receiver that was named is not there |
/// | path is a directory, file, FIFO or no serial port | 64 | the argument names what can never be a receiver |
/// | path vanished | 75 | unplugged just then: try again |
/// | no connection to a receiver in a network | 75 | the other side may come back |
/// | path cannot be opened for another reason | 69 | the device is of no use as it is |
/// | no data at any baud rate | 69 | a port without a receiver that sends data is no source; trying again changes nothing |
/// | no data yet; no satellites; no fix yet; no usable fix; source ended | 75 | location unknown by the deadline |
/// | no fix has the required accuracy | 75 | the receiver may do better later |
/// | the service has ended, is busy, does not answer, or accepts no clients for now | 75 | it may be back |
/// | the service disconnects this client for good, or cannot be understood | 76 | other version, or other program |
/// | too many requests under way | 75 | there is room again when some have finished |
/// | no such device to trust, forget, take or give | 69 | it is not there |
/// | gpsd's control socket may not be used | 77 | the choice is stored |
/// | gpsd has not done its part for another reason | 75 | it may yet do so; the choice is stored |
/// | the choice cannot be stored | 73 | |
/// | a decision takes effect, but is not stored | 73 | |
/// | this client has no access to the location, or not yet | 77 | |
package struct FailureMessage: Error, Hashable, Sendable {
  package var text: String
  package var status: CommandStatus

  /// - Parameter needsAlways: whether the request, such as that of a log, also runs while no user is present, and
  ///   therefore needs "always" permission.
  package init(_ failure: LocationFailure, needsAlways: Bool = false) {
    switch failure {
    case .noSource:
      self.init(
        "\(Diagnosis.noReceiver); plug one in, or specify its port with --source PATH ('locationctl devices' lists the ports).",
        .noSource)
    case .noKnownAccessPoint(received: ...0):
      self.init("No Wi-Fi access point is in range: move to another place, or plug in a receiver.", .noSource)
    case .noKnownAccessPoint(let received):
      let unknown =
        received == 1
        ? "position of the only Wi-Fi access point in range is"
        : "positions of the \(received) Wi-Fi access points in range are"
      self.init(
        "No GNSS receiver was found, and the \(unknown) unknown: plug in a receiver, or import access points with "
          + "'locationctl wifi import FILE'.", .noSource)
    case .radio(let problem):
      self.init(TerminalText.sanitized(problem.message, limit: 1000), problem == .noPrivilege ? .denied : .noSource)
    case .noGPSD(let address):
      self.init("No gpsd answers at \(clean(address)): start it, or use another --source.", .noSource)
    case .noReceiverAtGPSD(let address):
      self.init(
        "The gpsd at \(clean(address)) has no receiver: add one, for example with 'sudo gpsdctl add /dev/ttyACM0'.",
        .noSource)
    case .untrustedAdapters(let adapters): self.init(Self.untrusted(adapters), .noSource)
    case .permissionDenied(let path, let group): self.init(Self.denied(path, group), .denied)
    case .portInUse(let path, let holder): self.init(Self.inUse(path, holder), .locationUnknown)
    case .cannotOpen(let path, let reason): self.init(path: path, reason: reason)
    case .nothingReceived(let path, let bytes, let speeds):
      self.init(Self.nothingReceived(path, bytes, speeds), .noSource)
    case .nothingReceivedYet(let path, let bytes):
      let what = bytes == 0 ? "received nothing" : "received \(bytes) bytes, but no GNSS data,"
      self.init(
        "\(clean(path)) \(what) before the timeout: check the receiver's power and cable, or wait longer with --timeout.",
        .locationUnknown)
    case .noSatellites(let path):
      self.init(
        "The receiver on \(clean(path)) receives no satellites: check its antenna, and move it to a place with a free view of the sky.",
        .locationUnknown)
    case .noFixYet(let path, let inView): self.init(Self.noFixYet(path, inView), .locationUnknown)
    case .notAccurateEnough(let path, let best): self.init(Self.notAccurateEnough(path, best), .locationUnknown)
    case .noUsableFix(let path, let qualityFlag):
      self.init(
        "The receiver on \(clean(path)) sent only suspect fixes (\(clean(qualityFlag))): "
          + "restart it and check its antenna.", .locationUnknown)
    case .sourceEnded(let path) where path.hasPrefix("/dev/"):
      self.init("\(Diagnosis.disconnected(clean(path))): plug it in again.", .locationUnknown)
    case .sourceEnded(let path):
      self.init("\(clean(path)) ended before the first fix: use a longer recording.", .locationUnknown)
    case .badRecording(let path, let reason):
      self.init("\(clean(path)) is damaged (\(clean(reason))): everything before that point was played.", .badInput)
    case .unknownDevice(let selector, let known): self.init(Self.unknownDevice(selector, known), .noSource)
    case .tooManyRequests(let limit):
      self.init(
        "The location service is working on \(limit) requests, which is its limit: try again when it has answered some of them.",
        .locationUnknown)
    case .cannotStore(let path, let errno):
      self.init(
        "Cannot store the choice in \(clean(path)) (\(ErrorDescription.of(errno))): make that folder writable, "
          + "or set LOCATIOND_STATE to another folder.", .cannotWrite)
    case .placesNotKept(let path, let reason, let cause):
      self.init(
        "Cannot store access points in \(clean(path)) (\(clean(reason))): "
          + (cause == .damaged
            ? "the damaged file was renamed and a new one created; import the access points again."
            : "\(Self.remedy(cause))."),
        cause == .busy ? .locationUnknown : .cannotWrite)
    case .notKept(let path, let reason, let cause): self.init(path, notKept: reason, cause)
    case .notHandedOver(let path, let owner, let problem): self.init(path, for: owner, problem)
    case .serviceLost(let path):
      self.init(
        "The location service at \(clean(path)) has stopped and did not come back before the timeout: start it again.",
        .locationUnknown)
    case .serviceBusy(let path):
      self.init(
        "The location service at \(clean(path)) is busy and did not accept the connection before the timeout: try again.",
        .locationUnknown)
    case .serviceSilent(let path):
      self.init(
        "The location service at \(clean(path)) accepted the connection but did not answer before the timeout, because it is overloaded or "
          + "suspended: try again, or see 'journalctl -u locationd'.", .locationUnknown)
    case .serviceRefused(let refusal):
      self.init(Self.refused(refusal), refusal.isTemporary ? .locationUnknown : .protocolError)
    case .log(let failure): self.init(failure)
    case .monitoring(let failure): self.init(failure)
    case .fleet(let failure): self.init(failure)
    case .places(let failure): self.init(failure)
    case .deferral: self.init("The location service does not defer these updates: leave out --batch.", .locationUnknown)
    case .notAuthorized(let denial, let identity): self.init(denial, identity, needsAlways: needsAlways)
    case .serviceUnreadable(let reason):
      self.init(
        "Another program answers at the socket of the location service (\(clean(reason))): "
          + "check LOCATIOND_SOCKET.", .protocolError)
    }
  }

  /// The failure of a command that shows the receivers' own data, to which Wi-Fi contributes nothing.
  package init(ofReceivers failure: LocationFailure, needsAlways: Bool = false) {
    let failure: LocationFailure = if case .noKnownAccessPoint = failure { .noSource } else { failure }
    self.init(failure, needsAlways: needsAlways)
  }

  /// No receiver was plugged in by the deadline of a command that waits for one.
  static let noReceiverAppeared = FailureMessage(
    "No receiver was plugged in before the timeout: wait longer with --timeout, or list the ports with "
      + "'locationctl devices'.", .noSource)

  /// A position from Wi-Fi is impossible: `account` says whether any access points are known at all.
  package init(unknownAccessPoints failure: LocationFailure?, beside account: WiFiAccount) {
    guard account.isEmpty, case .noKnownAccessPoint(let received)? = failure else {
      self.init(failure ?? .noSource)
      return
    }
    let inRange = received > 0 ? " (\(received) in range)" : ""
    self.init(
      "There is no database of Wi-Fi access points\(inRange), so Wi-Fi cannot give a position: import one with "
        + "'locationctl wifi import FILE', let locationd learn them while a receiver has a fix, or configure a web service "
        + "(see locationctl-wifi(1)).", .noSource)
  }

  init(_ text: String, _ status: CommandStatus) {
    self.text = text
    self.status = status
  }

  private init(path: String, reason: OpenFailure) {
    let name = clean(path)
    switch reason {
    case .doesNotExist:
      self.init("There is no \(name): run 'locationctl devices' to see the ports that exist.", .noSource)
    case .isDirectory: self.init("\(name) is a directory: specify the receiver's port, such as /dev/ttyACM0.", .usage)
    case .isRegularFile: self.init("\(name) is a file: play it with --source replay:\(name).", .usage)
    case .isFIFO: self.init("\(name) is a pipe: specify the receiver's port, such as /dev/ttyACM0.", .usage)
    case .isNotSerialPort:
      self.init("\(name) is not a serial port: specify the receiver's port, such as /dev/ttyACM0.", .usage)
    case .notConnected(let failure): self.init("\(name) \(failure.sentence).", .locationUnknown)
    case .vanished: self.init("\(Diagnosis.disconnected(name)): plug it in again.", .locationUnknown)
    case .system(let operation, let errno):
      self.init(
        "\(name) cannot be used (\(clean(operation)): \(ErrorDescription.of(errno))): unplug it, plug it in again and try again.",
        .noSource)
    }
  }

  /// The port did not appear by the deadline.
  init(neverAppeared path: String) {
    self.init(
      "\(clean(path)) did not appear before the timeout: plug in the receiver, wait longer with --timeout, or list the "
        + "ports with 'locationctl devices'.", .noSource)
  }

  private static func untrusted(_ adapters: [UntrustedAdapter]) -> String {
    guard let first = adapters.first else {
      return "No GNSS receiver was found: run 'locationctl devices' to see what is attached."
    }
    let name = first.name.map { " (\(clean($0)))" } ?? ""
    let others = adapters.count > 1 ? " (and \(adapters.count - 1) more, see 'locationctl devices')" : ""
    return
      "No GNSS receiver was found, but one may be connected to the serial adapter \(clean(first.path))\(name)\(others): "
      + "if so, run 'locationctl devices trust \(clean(first.id))'."
  }

  private static func denied(_ path: String, _ group: String?) -> String {
    // Never advise a user to join root's group.
    guard let group, group != "root", !group.isEmpty else {
      return
        "You may not open \(clean(path)): install the udev rules that give the group dialout access to it, or ask its owner."
    }
    return "You may not open \(clean(path)), which belongs to the group \(clean(group)): "
      + "run 'sudo usermod -aG \(clean(group)) $USER' and log in again."
  }

  private static func inUse(_ path: String, _ holder: PortHolder) -> String {
    let name = clean(path)
    switch holder {
    case .process(let pid, "locationd"): return inUseByDaemon(name, pid)
    case .process(let pid, let program):
      return "\(name) is in use by \(clean(program)) (process \(pid)): stop it and try again."
    case .likely(let service):
      return
        "\(name) is in use, probably by \(clean(service)): stop it, or run 'sudo fuser -v \(name)' to see which program it is."
    case .console(let tty):
      return
        "\(name) is a console (\(clean(tty))): remove it from the kernel's command line, stop the login on it, and try again."
    case .ownLock(let pid?) where MachineSurvey.isDaemon(pid): return inUseByDaemon(name, pid)
    case .ownLock(let pid):
      let which = pid.map { " (process \($0))" } ?? ""
      return "\(name) is in use by another program that uses the location\(which): wait until that program ends."
    case .unknown:
      return "\(name) is in use: run 'sudo fuser -v \(name)' to see which program uses it, and stop that program."
    }
  }

  /// Another process uses the port, and the command waits for it.
  static func waiting(for path: String) -> String {
    let holder = MachineSurvey.program(holding: path).map { "\(clean($0.name)) (process \($0.pid))" }
    return "\(clean(path)) is in use by \(holder ?? "another program"): waiting until it is free."
  }

  private static func inUseByDaemon(_ name: String, _ pid: Int32) -> String {
    "\(name) is in use by locationd (process \(pid)): leave out --source to get its fixes from locationd, and set LOCATIOND_SOCKET if "
      + "that locationd does not use the default socket."
  }

  private static func notAccurateEnough(_ path: String, _ best: Meters) -> String {
    let text = FixedDecimal.text(best.value, decimals: best.value < 1 ? 2 : 1)
    let radius = text.map { " (the best one had ±\($0) m)" } ?? ""
    let receiver = path.isEmpty ? "" : " of \(clean(path))"
    return
      "No fix\(receiver) had the requested accuracy\(radius): wait longer (--timeout), give the antenna a free view of the sky, or "
      + "accept the best fix with --or-best."
  }

  private static func nothingReceived(_ path: String, _ bytes: Int, _ speeds: [Int]) -> String {
    let name = clean(path)
    let shown = speeds.prefix(12).map(String.init).joined(separator: ", ")
    let at = speeds.isEmpty ? "" : " at \(shown) baud"
    guard bytes > 0 else {
      return
        "\(name) received nothing\(at): check that the receiver has power and that its TX goes to this port's RX."
    }
    return "\(name) received \(bytes) bytes, but no GNSS data\(at): "
      + "set the baud rate with --source serial:\(name)@BAUD, or check that it is a GNSS receiver."
  }

  private static func noFixYet(_ path: String, _ inView: Int?) -> String {
    let sky =
      switch inView {
      case let count? where count > 0: "sees \(count) satellite\(count == 1 ? "" : "s") but has no fix yet"
      default: "has no fix yet"
      }
    return
      "The receiver on \(clean(path)) \(sky): give the antenna a free view of the sky, and wait longer (--timeout)."
  }

  private static func refused(_ refusal: DisconnectReason) -> String {
    switch refusal {
    case .unsupportedVersion(let oldest, let newest):
      "The location service uses version \(ProtocolVersion.text(oldest...max(oldest, newest))) of the protocol, and this "
        + "locationctl version \(ProtocolVersion.text(ProtocolVersion.spoken)): install both from the same release."
    case .tooManyClients(let limit):
      "The location service has \(limit) clients, which is its limit: try again when some have ended."
    case .stopping: "The location service is stopping: start it again."
    case .brokenProtocol, .tooQuiet, .tooManyMessages, .tooSlow:
      "The location service has closed the connection: try again."
    }
  }

  private static func unknownDevice(_ selector: String, _ known: [String]) -> String {
    guard !known.isEmpty else {
      return "There is no device '\(clean(selector))', and no other device either: plug it in and try again."
    }
    return
      "There is no device '\(clean(selector))': use one of \(known.prefix(12).map(clean).joined(separator: ", "))."
  }
}

private func clean(_ text: String) -> String { TerminalText.sanitized(text) }
