import Geodesy
import LocationIPC
import LocationPolicy

/// Findings from the machine alone, without data from any receiver.
extension Diagnosis {
  /// Why no receiver was found: from the plug to the device node.
  var nothingThere: Finding {
    if let device = machine.usbReceivers.first(where: { !$0.isAuthorized }) {
      return Finding(
        .usbUnauthorized, .stops,
        "The receiver \(name(device.name)) (\(name(device.identity))) is plugged in, but this machine has not authorized it.",
        command: "echo 1 | sudo tee /sys/bus/usb/devices/\(SafeText.word(device.place))/authorized")
    }
    if let device = machine.usbReceivers.first(where: { $0.ports.isEmpty }) {
      return Finding(
        .driverMissing, .stops,
        "The receiver \(name(device.name)) (\(name(device.identity))) is plugged in, but no driver is bound to it.",
        command: "sudo modprobe \(SafeText.word(device.driver ?? "cdc_acm"))")
    }
    if let device = machine.usbReceivers.first(where: { !$0.hasNode }), let tty = device.ports.first {
      let node = SafeText.word("/dev/" + tty)
      return machine.isContainer
        ? Finding(
          .containerDevice, .stops,
          "The receiver \(name(device.name)) is plugged in, but this container has no access to \(node).",
          command: "docker run --device \(node) IMAGE", device: "/dev/" + tty)
        : Finding(
          .nodeMissing, .stops, "The receiver \(name(device.name)) has a driver, but \(node) does not exist.",
          command: "sudo udevadm trigger --action=add --subsystem-match=tty", device: "/dev/" + tty)
    }
    if machine.isContainer, !machine.ports.contains(where: { $0.isUSB }) {
      return Finding(
        .containerDevice, .stops,
        "No GNSS receiver was found; if one is plugged in, this container may have no access to it.",
        command: "docker run --device /dev/ttyACM0 IMAGE")
    }
    return Finding(
      .noReceiver, .stops, "\(Self.noReceiver).",
      command: "locationctl devices   # then plug the receiver in again while 'sudo journalctl -kf' runs")
  }

  /// The cause of the absence of any receiver, without a period: every command names it in these words.
  package static var noReceiver: String {
    "No GNSS receiver was found: none is plugged in, or the cable only carries power"
  }

  /// A receiver that was there is gone, without a period, in the same words in every command. `path`: sanitized.
  package static func disconnected(_ path: String) -> String {
    "The receiver on \(path) was unplugged, or its cable or power supply is bad"
  }

  func machineFindings(hasPosition: Bool) -> [Finding] {
    let severity: Severity = hasPosition ? .degrades : .stops
    let usesMachine = subject == .automatic || subject.isPort
    return (usesMachine ? powerFindings + ownershipFindings(severity) : []) + surroundingFindings
  }

  private var powerFindings: [Finding] {
    var all: [Finding] = []
    // If a receiver is present and sends data, its power supply does not stop it.
    let severity: Severity = hasNothing || receivers.contains { $0.hasVanished || $0.bytes == 0 } ? .stops : .degrades
    if machine.power.isUnderVoltage {
      all.append(
        Finding(
          .underVoltage, severity, "The supply voltage of the board is too low, and USB devices are the first to fail.",
          command:
            "Use the official power supply of the board and a short, thick cable; check with 'vcgencmd get_throttled'.")
      )
    } else if machine.power.wasUnderVoltage {
      all.append(
        Finding(
          .underVoltage, severity == .stops ? .stops : .note,
          "The supply voltage of the board was too low at some time since the last start.",
          command: "Use the official power supply of the board; check with 'vcgencmd get_throttled'."))
    }
    if machine.power.overCurrentEvents > 0 {
      all.append(
        Finding(
          .overCurrent, severity,
          "A USB port was switched off because a device drew too much current (\(machine.power.overCurrentEvents == 1 ? "once" : "\(machine.power.overCurrentEvents) times")).",
          command: "Plug the receiver into a powered hub, and unplug devices that need much power."))
    }
    if hasNothing, let place = machine.kernelNotes.unrecognized.min() {
      all.append(
        Finding(
          .usbNotRecognized, .stops,
          "A USB device at \(name(place)) does not answer the kernel: its cable, its plug or its power supply is bad.",
          command: "Plug it in with another cable; watch 'dmesg -w'."))
    }
    let places = Set(machine.ports.filter(\.isSource).compactMap(\.usbPlace) + machine.usbReceivers.map(\.place))
    for (place, count) in machine.kernelNotes.disconnects.sorted(by: { $0.key < $1.key })
    where count >= Self.disconnectsToSuspect && places.contains(place) {
      all.append(
        Finding(
          .usbDisconnects, severity,
          "The receiver at USB \(name(place)) was disconnected \(count) times: its cable, its plug or its power supply is bad.",
          command: "Use another cable and another port; watch 'dmesg -w'."))
    }
    return all
  }

  /// Users replug a device now and then; a bad cable disconnects it more often.
  private static let disconnectsToSuspect = 3

  /// Whether no port is known to have a receiver: none was named, none was opened, and none is a receiver's port or
  /// trusted.
  private var hasNothing: Bool { !machine.ports.contains { $0.isSource } && !subject.isPort && receivers.isEmpty }

  /// Consoles, logins and ModemManager on the ports that are used: the named one, otherwise those of receivers and
  /// trusted adapters.
  private func ownershipFindings(_ severity: Severity) -> [Finding] {
    var all: [Finding] = []
    for path in usedPaths {
      let tty = port(path)?.tty ?? String(path.split(separator: "/").last ?? "")
      // A login reads what the receiver sends, which is worse than a kernel console that writes messages to the
      // receiver now and then; therefore only the login is reported if there are both.
      if machine.logins.contains(tty) {
        all.append(login(tty, path, severity: severity))
      } else if machine.consoles.contains(tty) {
        all.append(console(tty, path, severity: severity))
      }
    }
    if machine.runsModemManager, !machine.hasModemManagerRule, let path = usedPaths.first(where: { isUSB($0) }) {
      all.append(
        Finding(
          .modemManagerMayProbe, .note,
          "ModemManager is running and may search for a modem on \(name(path)) for ten seconds after it is plugged in.",
          command: applyRules, device: path))
    }
    return all
  }

  private func isUSB(_ path: String) -> Bool { port(path)?.isUSB ?? false }

  private var usedPaths: [String] {
    if case .port(let path) = subject { return [path] }
    return machine.ports.filter(\.isSource).map(\.path)
  }

  func console(_ tty: String, _ path: String, severity: Severity) -> Finding {
    Finding(
      .consoleOnUART, severity,
      "\(name(path)) is the console of the kernel, which sends text to the receiver and reads its data.",
      command: machine.isRaspberryPi
        ? "sudo raspi-config nonint do_serial_cons 1 && sudo reboot"
        : "Remove console=\(name(tty)) from the kernel's command line, and reboot.", device: path)
  }

  func login(_ tty: String, _ path: String, severity: Severity) -> Finding {
    Finding(
      .loginOnUART, severity, "A login prompt is running on \(name(path)) and reads the receiver's data.",
      command: "sudo systemctl disable --now \(SafeText.word("serial-getty@\(tty).service"))", device: path)
  }

  private var surroundingFindings: [Finding] {
    var all: [Finding] = []
    if let clock = machine.clock?.date, let built = machine.builtOn, clock < built {
      all.append(
        Finding(
          .clockUnset, .degrades,
          "The clock of this machine shows the year \(clock.year), which is before this program was built.",
          command: "sudo timedatectl set-ntp true"))
    }
    if let state = machine.state, !state.isWritable {
      all.append(
        Finding(
          .stateReadOnly, .degrades,
          "The state folder \(name(state.path)) cannot be written, so the service forgets everything when it ends.",
          command: "export LOCATIOND_STATE=\"$HOME/.local/state/locationd\""))
    } else if let state = machine.state, let free = state.bytesFree, free < Self.spaceNeeded {
      all.append(
        Finding(
          .stateFull, .degrades, "The disk of the state folder \(name(state.path)) is full.",
          command: "df -h \(SafeText.word(state.path))"))
    }
    if machine.isContainer, !machine.hasUdev, subject == .automatic, machine.ports.contains(where: \.isSource) {
      all.append(
        Finding(
          .containerWithoutUdev, .note,
          "This container has no udev: if a receiver is plugged in again and gets another name, it will not be found.",
          command: "docker run -v /dev:/dev --device-cgroup-rule 'c 166:* rmw' --device-cgroup-rule 'c 188:* rmw' IMAGE"
        ))
    }
    return all + placesFindings
  }

  /// Streets and house numbers change: a year later, some hundredths of them are others.
  private static let placesLife = 366

  private var placesFindings: [Finding] {
    guard let today = machine.clock?.date else { return [] }
    let old = machine.places.filter { _, day in
      let parts = day.split(separator: "-").compactMap { Int($0) }
      guard parts.count == 3, let date = CalendarDate(year: parts[0], month: parts[1], day: parts[2]) else {
        return false
      }
      return today.daysSince1970 - date.daysSince1970 > Self.placesLife
    }
    .keys.sorted()
    guard let first = old.first else { return [] }
    let more = old.count == 1 ? "" : " and \(count(old.count - 1, "more file"))"
    return [
      Finding(
        .placesOld, .note, "The streets and addresses of \(name(first))\(more) are older than a year.",
        command: "locationctl places update   # or 'locationctl places import FILE --replace' with a newer file")
    ]
  }

  /// If fewer bytes than this are free, the disk counts as full.
  private static let spaceNeeded: Int64 = 1 << 20
}

extension Subject {
  var isPort: Bool { if case .port = self { true } else { false } }
}

/// The settings of the service.
extension Diagnosis {
  var configurationFindings: [Finding] {
    let facts = machine.configuration
    var all: [Finding] = []
    for (code, sentences) in [(FindingCode.settingUnknown, facts.unknown), (.settingInvalid, facts.invalid)] {
      guard let first = sentences.first else { continue }
      let rest = sentences.count - 1
      let more = rest == 0 ? "" : " There \(rest == 1 ? "is" : "are") \(count(rest, "more problem")) of this kind."
      all.append(Finding(code, .degrades, first + more, command: "locationctl config check"))
    }
    if let file = facts.environmentFile {
      all.append(
        Finding(
          .settingsFileOld, .note,
          "\(name(file)) still sets variables of locationd, which take precedence over /etc/locationd.conf.",
          command: "Set them with 'sudo locationctl config set', then remove that file."))
    }
    if facts.lacksPlacesContact {
      all.append(
        Finding(
          .placesContactMissing, .note,
          "A server of places is set without a contact for its owner, so it is not asked.",
          command: "sudo locationctl config set places-contact ADDRESS"))
    }
    return all
  }
}

/// Clients that get no locations although the receivers provide them.
extension Diagnosis {
  var clientFindings: [Finding] {
    [
      finding(
        .clientUndecided, \.undecided,
        "waits for locations, but nobody has granted it access yet",
        command: "locationctl grants, then sudo locationctl grant WHO, with --always for a service"),
      finding(
        .clientResting, \.resting,
        "gets no locations in the background, because it has not enabled background updates or has no background access (--always)",
        command: "set allowsBackgroundLocationUpdates in the program; sudo locationctl grant WHO --always"),
      finding(
        .clientPaused, \.paused, "has paused its updates, because the machine does not move or has no position",
        command: "set pausesLocationUpdatesAutomatically to false in the program if it should not pause"),
    ].compactMap(\.self)
  }

  /// One finding for all such clients.
  private func finding(
    _ code: FindingCode, _ count: KeyPath<ClientStatus, Int>, _ words: String, command: String
  ) -> Finding? {
    let names = clients.filter { $0[keyPath: count] > 0 }.map { client in
      let process = client.processID.map { " (process \($0))" } ?? ""
      return "\(SafeText.plain(client.name))\(process)"
    }
    guard let first = names.first else { return nil }
    let others =
      names.count == 1 ? "" : " (and \(names.count == 2 ? "one other program" : "\(names.count - 1) other programs"))"
    return Finding(code, .note, "\(first)\(others) \(words).", command: command)
  }
}
