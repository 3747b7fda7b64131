import Diagnosis
import Geodesy
package import LocationIPC
import LocationPolicy
package import TrackFormats

/// The state of the service, for people: a headline with a dot as in systemctl(1), and a row or a table for each part.
package enum StatusTable {
  /// - Parameters:
  ///   - located: the last known position; `nil`: there is none, or the user has no access to it.
  ///   - own: the process that makes this request; it is not listed.
  package static func text(
    _ status: ServiceStatus, at located: LocatedFix? = nil, own: Int32? = nil, _ look: Presentation
  ) -> [UInt8] {
    var lines = [headline(status, look)]
    lines += labeled("Access", access(status), look)
    if status.isOffByLoss { lines += labeled("", .bad(FailureMessage(.decisionsLost, nil).text), look) }
    lines += labeled("Source", "\(clean(status.source))", look)
    if status.isSkyHidden {
      lines += labeled("Fix", .dim("only users with access to the exact location see what the receivers do"), look)
    } else {
      lines += labeled(
        "Receiver",
        status.hasReceiver
          ? PowerPlanDescription.text(status.plan)
          : .warning("none connected") + "   \(PowerPlanDescription.reason(status.plan.reason))", look)
    }
    if let wifi = status.wifi { lines += labeled("Wi-Fi", WiFiDescription.text(wifi), look) }
    if let corrections = status.corrections {
      let text = CorrectionDescription.text(corrections).substituting("\n", with: ". ")
      lines += labeled("Corrections", corrections.problem == nil ? "\(text)" : .warning(text), look)
    }
    if let time = status.time { lines += labeled("Time", TimeDescription.summary(time), look) }
    if !status.isSkyHidden {
      let then = radii(status, located, look)?.measured
      lines += labeled(
        "Last fix",
        status.lastFixAge.map { "\(time($0)) ago\(then.map { ", \($0) when measured" } ?? "")" } ?? .dim("none yet"),
        look)
    }
    if let located { lines += labeled("Position", position(located, status, look), look) }
    lines += table("Devices", status.devices.map(device), look, none: "none attached")
    lines += table("Logs", LogTable.rows(status.logs, look), look)
    lines += table("Sent to", FleetTable.rows(status.fleet, look), look)
    // Except this command itself.
    let clients = status.clients.filter { own == nil || $0.processID != own }
    lines += table(
      "Clients", clients.map { client($0, look) }, look, none: status.version == nil ? nil : "no program is connected")
    if status.ports.contains(where: { $0.state == .unidentified }) {
      lines += labeled("Ports", .bad("no program at a port is served: \(PortTable.unidentified)"), look)
    }
    lines += table("Used by", UsageTable.rows(status.usage, look), look)
    for reached in status.bounds {
      let sentence =
        "\(reached.bound.sentence.dropLast()) (\(reached.times == 1 ? "once," : "\(reached.times) times, last") \(time(reached.ago)) ago)"
      lines += labeled("Limit", .warning(clean(sentence)), look)
    }
    return TextTable.bytes(lines, look)
  }

  // MARK: - Parts

  private static func headline(_ status: ServiceStatus, _ look: Presentation) -> StyledText {
    guard let version = status.version else {
      return .dim(look.hollowDot) + .heading(" locationd") + "   not running"
    }
    let isLimited = !status.bounds.isEmpty || status.logs.contains { $0.problem != nil || $0.isInterrupted }
    let dot: StyledText = !status.isOn ? .bad(look.dot) : isLimited ? .warning(look.dot) : .good(look.dot)
    let pid = status.processID.map { "   process \($0)" } ?? ""
    return dot + .heading(" locationd \(clean(version))") + "   up \(time(status.runningFor))\(pid)"
  }

  private static func access(_ status: ServiceStatus) -> StyledText {
    guard status.version != nil else { return .dim("no access control without locationd") }
    let services: StyledText = status.isOn ? .good("location services on") : .bad("location services off")
    return services + "   indicator \(status.indicator.text)"
  }

  /// Five decimals are a resolution of 1 m.
  private static func position(_ located: LocatedFix, _ status: ServiceStatus, _ look: Presentation) -> StyledText {
    let fix = located.fix
    var radius = StyledText(TextFormat.radius(fix.horizontalRadius68.value, look), TextFormat.role(ofRadius: fix))
    if radii(status, located, look) != nil { radius += " now" }
    let age = !status.isSkyHidden ? nil : located.age.map { StyledText("   \(time($0)) ago") }
    var current = located
    // The displayed age makes a remark about it unnecessary.
    current.isYoungEnough = true
    let remarks = TextFormat.remarks(current)
    return "\(TextFormat.position(fix.coordinate, decimals: 5, look))  " + radius + (age ?? "")
      + (remarks.isEmpty ? "" : .warning("   \(remarks.joined(separator: "; "))"))
  }

  /// The radius of the last fix grows with its age: the present one and the one when it was measured, if they differ. A user with
  /// reduced accuracy gets only the present one.
  private static func radii(
    _ status: ServiceStatus, _ located: LocatedFix?, _ look: Presentation
  ) -> (now: String, measured: String)? {
    guard !status.isSkyHidden, let located, let measured = status.lastFixRadius68 else { return nil }
    let (now, then) = (located.fix.horizontalRadius68.value, measured.value)
    let texts = (now: TextFormat.radius(now, look), measured: TextFormat.radius(then, look))
    return texts.now == texts.measured ? nil : texts
  }

  private static func device(_ device: DeviceDescription) -> [StyledText] {
    let line = [device.baud.map { "\($0) baud" }, device.protocolName.map(clean)].compactMap(\.self)
    let path = clean(device.path)
    return [
      "\(device.name.map { "\(clean($0)) (\(path))" } ?? path)",
      StyledText(device.state.name, DeviceTable.role(of: device.state)),
      "\(DeviceTable.name(of: device).map(clean) ?? device.kind.name)", "\(line.joined(separator: ", "))",
    ]
  }

  static func client(_ client: ClientStatus, _ look: Presentation) -> [StyledText] {
    let process = client.processID.map { " (\($0))" } ?? (client.connections == 1 ? "" : " × \(client.connections)")
    let who = client.identity.map(ClientName.selector(of:)) ?? client.userID.map { "\($0)" } ?? "-"
    return [
      (client.wantsLocation ? .good(look.mark("➤", ascii: ">")) : " ") + " \(clean(client.name))\(process)", "\(who)",
      client.level.map { StyledText($0.text, $0.role) } ?? "-", requests(client),
      .dim(
        [client.presence?.text, client.connectedFor.map { "for \(time($0))" }].compactMap(\.self).joined(separator: " ")
      ),
    ]
  }

  private static func requests(_ client: ClientStatus) -> StyledText {
    let parts = [
      (client.oneShots, "a fix"), (client.streams, "updates"), (client.skies, "satellites"),
      (client.paused, "updates (paused)"),
      (client.resting, "updates (suspended)"), (client.undecided, "updates (waiting for access)"),
    ]
    let named = parts.filter { $0.0 > 0 }.map { $0.0 == 1 ? $0.1 : "\($0.0) × \($0.1)" }
    return named.isEmpty ? .dim("no request") : "\(named.joined(separator: ", "))"
  }

  // MARK: - Layout

  /// The columns of the space before the labels, and those of the labels.
  private static let margin = 2
  private static let label = 10

  private static func labeled(_ title: String, _ value: StyledText, _ look: Presentation) -> [StyledText] {
    var look = look
    look.width = look.width.map { $0 - margin }
    return TextFormat.labeled([(title, value)], look, width: label).map { "  " + $0 }
  }

  /// A table without column titles, beside its label. Without rows, the text `none` is beside the label; if `none` is
  /// `nil`, there is no line at all.
  private static func table(
    _ title: String, _ rows: [[StyledText]], _ look: Presentation, none: String? = nil
  ) -> [StyledText] {
    guard !rows.isEmpty else { return none.map { labeled(title, .dim($0), look) } ?? [] }
    var lines = TextTable.lines(untitled: rows, look, indent: margin + label)
    lines[0] = "  " + StyledText.dim(title).padded(to: label) + lines[0].dropping(margin + label)
    return lines
  }

  private static func clean(_ text: String) -> String { TerminalText.sanitized(text, limit: 2000) }

  /// "12 s", "3 min", "5 h", "2 days": one unit is sufficient for a reader.
  static func time(_ duration: Duration) -> String {
    let seconds = Int(max(0, duration.inSeconds))
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}

extension StyledText {
  /// The text without this many of its first characters, which must be spaces.
  fileprivate func dropping(_ count: Int) -> StyledText {
    var (rest, result) = (count, StyledText())
    for part in parts {
      let dropped = min(rest, part.text.count)
      result += StyledText(String(part.text.dropFirst(dropped)), part.role)
      rest -= dropped
    }
    return result
  }
}
