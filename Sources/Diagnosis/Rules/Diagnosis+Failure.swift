import LocationIPC
import LocationPolicy

/// What a failure of the service means on this machine.
extension Diagnosis {
  func finding(of failure: LocationFailure) -> Finding? {
    switch failure {
    case .noSource, .noKnownAccessPoint, .radio: return nothingThere
    case .untrustedAdapters(let adapters): return untrusted(adapters)
    case .noGPSD(let address):
      return Finding(
        .gpsdAbsent, .stops, "No gpsd answers at \(name(address)).", command: "sudo systemctl start gpsd.socket")
    case .noReceiverAtGPSD(let address):
      return Finding(
        .gpsdWithoutReceiver, .stops, "The gpsd at \(name(address)) has no receiver.",
        command: "sudo gpsdctl add \(SafeText.word(machine.ports.first { $0.isSource }?.path ?? "/dev/ttyACM0"))")
    case .permissionDenied(let path, let group): return denied(path, group: group)
    case .portInUse(let path, let holder): return inUse(path, by: holder)
    case .cannotOpen(let path, let reason): return cannotOpen(path, reason)
    case .badRecording(let path, let reason):
      return Finding(
        .recordingDamaged, .stops, "The recording \(name(path)) is damaged: \(name(reason)).",
        command: "Record it again, or use the part before the damage.", device: path)
    // A receiver's data leads to more specific findings; without examined data, the finding follows from what this
    // failure reports.
    case .nothingReceived(let path, let bytes, let speeds):
      var facts = ReceiverFacts(device: path)
      facts.bytes = bytes
      facts.speeds = speeds
      facts.byteClassification = bytes > 0 ? .noise : .nothing
      return receivers.isEmpty ? receiverFindings(facts).first : nil
    case .noSatellites(let path), .noFixYet(let path, _), .noUsableFix(let path, _), .nothingReceivedYet(let path, _),
      .notAccurateEnough(let path, _):
      return receivers.isEmpty
        ? Finding(
          .noFixYet, .stops, "The receiver on \(name(path)) has no fix yet.", command: "locationctl fix --timeout 300",
          device: path)
        : nil
    case .sourceEnded(let path) where path.hasPrefix("/dev/"):
      return receivers.isEmpty ? cannotOpen(path, .vanished) : nil
    case .sourceEnded(let path):
      return receivers.isEmpty
        ? Finding(
          .silent, .stops, "The recording \(name(path)) contains no data from a receiver.", command: "Record it again.",
          device: path
        )
        : nil
    case .notAuthorized(let denial, _): return notGranted(denial)
    case .unknownDevice, .tooManyRequests, .cannotStore, .notKept, .placesNotKept, .notHandedOver, .serviceLost,
      .serviceBusy, .serviceSilent, .serviceRefused, .serviceUnreadable, .log, .monitoring, .fleet, .places,
      .deferral:
      return nil
    }
  }

  private func notGranted(_ denial: AuthorizationDenial) -> Finding? {
    let grant = "sudo locationctl grant \(client)"
    func finding(_ sentence: String, _ command: String, severity: Severity = .stops) -> Finding {
      Finding(.locationNotGranted, severity, sentence, command: command)
    }
    switch denial {
    case .servicesOff:
      return Finding(
        .servicesOff, .stops, "Location services are switched off on this machine.",
        command: "sudo locationctl services on")
    // Nobody has switched them off. The command shows what happened to the file; switching them on first would discard decisions
    // that a repaired file still has.
    case .decisionsLost:
      return Finding(
        .servicesOff, .stops,
        "Location services are off for this user, because the file of access decisions is damaged or cannot be read.",
        command: "journalctl -u locationd   # then repair the file, or switch them on: sudo locationctl services on")
    case .denied, .restricted:
      return finding(
        "Access denied: this user has no access to the location.",
        isInBackground ? grant + " --always" : grant)
    case .notAsked(.notInUse):
      return finding(
        "Access denied: nobody has granted this user access to the location yet, and this command runs in the "
          + "background (it belongs to no open login session).",
        grant + " --always")
    case .undecided, .notAsked:
      return finding("Access denied: nobody has granted this user access to the location yet.", grant)
    case .inBackground:
      return finding(
        "Access denied: this user has access only while in use, but this command runs in the background (it belongs to no "
          + "open login session).",
        grant + " --always")
    case .unidentified:
      return finding(
        "Access denied: the location service cannot identify this program, which happens in some containers.",
        "Run the program outside of the container.")
    // This user gets a position, but not the data of the receivers.
    case .needsAlways, .needsFullAccuracy, .noGrid:
      return finding(
        "Only the machine was checked, because this user has no access to the receivers' data.",
        "sudo locationctl doctor", severity: .note)
    case .notAdministrator, .notOwner, .decision, .noSuchQuestion: return nil
    }
  }

  private func untrusted(_ adapters: [UntrustedAdapter]) -> Finding {
    // A board's own UART is always present, so it proves nothing about a receiver.
    let plugged = adapters.first { port($0.path)?.isUSB ?? true }
    guard let adapter = plugged else { return nothingThere }
    let what = adapter.name.map { " (\(name($0)))" } ?? ""
    return Finding(
      .adapterUntrusted, .stops,
      "The serial adapter \(name(adapter.path))\(what) may be connected to a receiver, but is not opened until you trust it.",
      command: "locationctl devices trust \(SafeText.word(adapter.id))", device: adapter.path)
  }

  private func denied(_ path: String, group: String?) -> Finding {
    let user = "\"$USER\""
    if machine.isContainer, group == nil, !machine.privatePaths.contains(path) {
      return Finding(
        .containerDenied, .stops, "This container has no permission to open \(name(path)).",
        command: "docker run --device \(SafeText.word(path)) IMAGE", device: path)
    }
    guard let group, group != "root", !group.isEmpty else {
      return Finding(
        .nodePrivate, .stops, "Only root may open \(name(path)), because no udev rule gives a group access to it.",
        command: applyRules, device: path)
    }
    if machine.listedGroups.contains(group), !machine.activeGroups.contains(group) {
      return Finding(
        .groupNotActive, .stops,
        "You are in the group \(name(group)), which may open \(name(path)), but this login session began before you were added.",
        command: "newgrp \(SafeText.word(group))", device: path)
    }
    return Finding(
      .permissionDenied, .stops, "You may not open \(name(path)), which belongs to the group \(name(group)).",
      command: "sudo usermod -aG \(SafeText.word(group)) \(user)   # then log in again", device: path)
  }

  private func inUse(_ path: String, by holder: PortHolder) -> Finding {
    switch holder {
    case .console(let tty):
      return machine.consoles.contains(tty) ? console(tty, path, severity: .stops) : login(tty, path, severity: .stops)
    case .process(let pid, let program): return held(path, by: program, pid: pid)
    case .likely(let service): return held(path, by: service, pid: nil)
    case .ownLock(let pid?) where machine.daemons.contains(pid):
      return Finding(
        .inUseByOurs, .stops, "\(name(path)) is in use by locationd (process \(pid)), which shares its data.",
        command: "locationctl doctor   # without --source", device: path)
    case .ownLock(let pid):
      let which = pid.map { " (process \($0))" } ?? ""
      return Finding(
        .inUseByOurs, .stops,
        "\(name(path)) is in use by another locationctl, or by an app that uses the location\(which).",
        command: pid.map { "kill \($0)" } ?? "Wait until it ends.", device: path)
    case .unknown:
      return Finding(
        .inUse, .stops, "\(name(path)) is in use by a program that only root can see.",
        command: "sudo fuser -v \(SafeText.word(path))", device: path)
    }
  }

  private func held(_ path: String, by program: String, pid: Int32?) -> Finding {
    switch program {
    case "gpsd":
      return Finding(
        .gpsdOwns, .stops, "gpsd has opened \(name(path)).", command: "locationctl fix --source gpsd", device: path)
    case "ModemManager":
      return Finding(
        .modemManagerHolds, .stops, "ModemManager has opened \(name(path)) and searches for a modem on it.",
        command: machine.hasModemManagerRule
          ? "sudo systemctl restart ModemManager   # it then ignores the receivers in 60-swift-corelocation.rules"
          : applyRules,
        device: path)
    case "hciattach", "btattach", "bluetoothd":
      return Finding(
        .bluetoothOnUART, .stops,
        "\(name(path)) is connected to the Bluetooth chip of the board, and \(program) has opened it.",
        command: "locationctl fix --source serial:/dev/serial0", device: path)
    default:
      return Finding(
        .inUse, .stops, "\(name(path)) is in use by \(name(program))\(pid.map { " (process \($0))" } ?? "").",
        command: pid.map { "kill \($0)" } ?? "sudo fuser -v \(SafeText.word(path))", device: path)
    }
  }

  private func cannotOpen(_ path: String, _ reason: OpenFailure) -> Finding {
    switch reason {
    case .doesNotExist: return missing(path)
    case .isDirectory, .isRegularFile, .isFIFO, .isNotSerialPort:
      return Finding(
        .notAPort, .stops, "\(name(path)) is \(Self.words(reason)), not a serial port.",
        command: reason == .isRegularFile
          ? "locationctl doctor --source \(SafeText.word("replay:" + path))" : "locationctl devices", device: path)
    case .notConnected:
      return Finding(
        .notConnected, .stops, "There is no connection to \(name(path)).",
        command: "Check that the other program runs, and the network.", device: path)
    case .vanished:
      return Finding(
        .vanished, .stops, "\(Self.disconnected(name(path))).",
        command: "Plug it in again, with another cable if it was not unplugged.",
        device: path)
    case .system(let operation, let errno):
      return Finding(
        .portBroken, .stops,
        "\(name(path)) exists but does not work: \(name(operation)) fails with error \(errno).",
        command: "Unplug it and plug it in again.", device: path)
    }
  }

  private static func words(_ reason: OpenFailure) -> String {
    switch reason {
    case .isDirectory: "a directory"
    case .isRegularFile: "a file"
    case .isFIFO: "a pipe"
    case .isNotSerialPort, .doesNotExist, .vanished, .system, .notConnected: "a device of another kind"
    }
  }

  private func missing(_ path: String) -> Finding {
    if let target = machine.brokenLinks[path] {
      return Finding(
        .brokenLink, .stops, "\(name(path)) is a link to \(name(target)), which does not exist.",
        command: "locationctl devices", device: path)
    }
    let uarts = ["/dev/serial0", "/dev/serial1", "/dev/ttyAMA0", "/dev/ttyS0"]
    if machine.isRaspberryPi, uarts.contains(path) {
      return Finding(
        .uartOff, .stops,
        "The UART of this \(name(machine.board ?? "board")) is switched off: there is no \(name(path)).",
        command: "sudo raspi-config nonint do_serial_hw 0 && sudo reboot", device: path)
    }
    if machine.isContainer {
      return Finding(
        .containerDevice, .stops, "This container has no access to \(name(path)).",
        command: "docker run --device \(SafeText.word(path)) IMAGE", device: path)
    }
    return Finding(
      .noSuchPort, .stops, "There is no \(name(path)).", command: "locationctl devices", device: path)
  }

  /// The remedy if the udev rules do not apply to a device: to install them, or, if they are installed, to apply them
  /// to a device that was connected before.
  var applyRules: String {
    guard machine.hasModemManagerRule else {
      return
        "Install the udev rules (60-swift-corelocation.rules): the package locationd contains them, and 'make install' in a checkout "
        + "installs them."
    }
    return "sudo udevadm control --reload && sudo udevadm trigger   # applies 60-swift-corelocation.rules"
  }
}
