import ArgumentParser
import Fleet
import FleetDestinations
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationdConfiguration

/// `fleet add NAME URL`.
struct FleetAddCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a destination. Nothing is sent anywhere without one.",
    discussion: """
      Addresses: mqtts://HOST and mqtt://HOST (an MQTT broker, with OwnTracks' payloads), owntracks-http+https://HOST/PATH, \
      osmand+https://HOST:5055/?id=ID (Traccar), overland+https://HOST/PATH, https://HOST/PATH (a JSON object per position). An \
      unencrypted address of another machine needs --insecure. locationd reads the files of passwords and keys: their paths are \
      absolute, and they belong to the user locationd with mode 0600.
      """)
  @Argument(help: ArgumentHelp("The name of the destination: letters, digits, '_' and '-'.", valueName: "name"))
  var name: String
  @Argument(help: ArgumentHelp("The address of the server; with --replace, it may be left out.", valueName: "url"))
  var url: String?
  @OptionGroup(title: "Identity") var identity: FleetIdentityOptions
  @OptionGroup(title: "What is sent") var content: FleetContentOptions
  @OptionGroup(title: "Privacy") var privacy: FleetPrivacyOptions
  @OptionGroup(title: "Connection") var connection: FleetConnectionOptions
  @OptionGroup(title: "Changes") var change: FleetChangeOptions
  @OptionGroup var force: ForceOption
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    guard url != nil || change.replace else {
      throw ValidationError("The address of the server is missing: add it, such as mqtts://HOST.")
    }
  }

  func execute() -> CommandStatus {
    var settings = FleetSettings()
    identity.apply(to: &settings)
    content.apply(to: &settings)
    connection.apply(to: &settings)
    do throws(CommandStatus) {
      try privacy.apply(to: &settings)
    } catch {
      return error
    }
    let address: FleetAddress?
    do throws(FleetSettingsError) {
      address = try url.map { url throws(FleetSettingsError) in try FleetAddress(parsing: url, kind: connection.kind) }
      if !change.replace, let address {
        let destination = try FleetDestination(name: name, address: address, settings: settings)
        return FleetCommand.send(.add(destination)).confirmed(
          "Positions are sent to \(TerminalText.sanitized(destination.address.publicText)) from now on: "
            + "'locationctl fleet test \(name)' tries it.")
      }
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
    return replaced(address, settings)
  }

  private func replaced(_ address: FleetAddress?, _ settings: FleetSettings) -> CommandStatus {
    let shown = TerminalText.sanitized(name)
    if change.discardBacklog {
      do throws(CommandStatus) {
        try force.permits("what waits to be sent to '\(shown)'")
      } catch {
        return error
      }
    }
    let keys = identity.given + content.given + privacy.given + connection.given
    // A key alone sets the default.
    let text =
      settings.text(of: Set(keys)) + (address.map { "address \($0.text)\n" } ?? "")
      + change.reset.map { "\($0)\n" }.joined()
    return FleetCommand.send(.change(name: name, text, change.backlog)).confirmed(
      "The destination '\(shown)' is changed: 'locationctl fleet test \(shown)' tries it.")
  }
}

/// Changes of a destination that exists.
struct FleetChangeOptions: ParsableArguments {
  @Flag(help: "Change a destination that exists: what is not given stays as it is, and its outbox too.")
  var replace = false
  @Option(
    help: ArgumentHelp(
      "With --replace: return to the default of this option, such as 'hide'. May be repeated.", valueName: "option"),
    completion: .list(FleetDestination.keys))
  var reset: [String] = []
  @Flag(help: "With --replace and another server: send it what was recorded for the one before.")
  var keepBacklog = false
  @Flag(help: "With --replace: delete what waits to be sent.")
  var discardBacklog = false

  var backlog: FleetRequest.Backlog? { keepBacklog ? .kept : discardBacklog ? .discarded : nil }

  func validate() throws {
    guard replace || (reset.isEmpty && !keepBacklog && !discardBacklog) else {
      throw ValidationError("--reset, --keep-backlog and --discard-backlog need --replace.")
    }
    guard !keepBacklog || !discardBacklog else {
      throw ValidationError("--keep-backlog and --discard-backlog exclude each other: use only one of them.")
    }
    if let unknown = reset.first(where: { !FleetDestination.keys.contains($0) || $0 == "address" }) {
      let suggestion = Suggestion.nearest(to: unknown, in: FleetDestination.keys).map { ": use '\($0)'" } ?? ""
      throw ValidationError(
        "'\(TerminalText.sanitized(unknown))' of --reset is no option of a destination\(suggestion).")
    }
  }
}

/// The keys of the settings whose options were given.
enum FleetKeys {
  static func given(_ options: KeyValuePairs<String, Bool>) -> [String] { options.filter(\.value).map(\.key) }
}

/// By which names a server knows this machine.
struct FleetIdentityOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The user and the device (default: fleet/HOSTNAME).", valueName: "user/device"))
  var identity: String?
  @Option(help: ArgumentHelp("OwnTracks' two characters on the map.", valueName: "characters"))
  var tid: String?
  @Option(help: ArgumentHelp("The MQTT topic (default: owntracks/USER/DEVICE).", valueName: "topic"))
  var topic: String?

  func apply(to settings: inout FleetSettings) {
    let parts = identity?.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    settings.user = parts?.first ?? settings.user
    settings.device = parts.map { $0.count == 2 ? $0[1] : "" } ?? Self.machine ?? settings.device
    (settings.trackerID, settings.topic) = (tid, topic)
  }

  /// The settings that are given.
  var given: [String] {
    FleetKeys.given(["user": identity != nil, "device": identity != nil, "tid": tid != nil, "topic": topic != nil])
  }

  /// The name of this machine, as far as it can be the name of a device.
  private static var machine: String? {
    guard let bytes = try? StateFile.read("/proc/sys/kernel/hostname", maximumSize: 256) else { return nil }
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return FleetDestination.isName(name) ? name : nil
  }
}

/// What is sent, and how often.
struct FleetContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The shortest time between two positions (default: 60s).", valueName: "time"),
    transform: { try Bounds.timeOrZero($0, upTo: 86_400) })
  var interval: Double?
  @Option(
    help: ArgumentHelp(
      "Repeat the position after this time without movement (default: 30m); 'none': never.", valueName: "time"))
  var parkedInterval: ParkedInterval?
  @Option(
    help: ArgumentHelp("Only positions at least this far from the last one.", valueName: "meters"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
  var distanceFilter: Double?
  @Option(
    help: ArgumentHelp("Only positions with at most this radius (68 %).", valueName: "meters"),
    transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
  var accuracy: Double?
  @Flag(help: "Send when a region of 'locationctl region' is entered or left, with its name.")
  var events = false
  @Flag(help: "Send visits. MQTT only.")
  var visits = false
  @Option(
    help: ArgumentHelp(
      "Whose regions and visits these are (default: those of the user who runs this command).",
      discussion: "May be repeated. The access that this user has to the location counts.", valueName: "user"),
    completion: .shellCommand("cut -d: -f1 /etc/passwd"))
  var eventsOf: [String] = []
  @Flag(help: "Send no positions, only what the other options name.")
  var noFixes = false
  @Option(
    help: ArgumentHelp("Send the state of this machine and of the outbox this often. MQTT only.", valueName: "time"),
    transform: { try Bounds.time($0, from: 10, upTo: Bounds.wait) })
  var health: Double?
  @Option(
    help: ArgumentHelp("Announce this machine to Home Assistant below this topic: homeassistant.", valueName: "prefix"))
  var homeAssistant: String?
  @Option(
    help: ArgumentHelp(
      "The JSON body of an HTTP destination, with places such as {{latitude}} for values.", valueName: "file"))
  var template: String?

  func validate() throws {
    if let template { _ = try Self.text(of: template) }
    for user in eventsOf { _ = try Self.number(of: user) }
    guard eventsOf.isEmpty || events || visits else { throw ValidationError("--events-of needs --events or --visits.") }
  }

  func apply(to settings: inout FleetSettings) {
    if let interval { settings.interval = .seconds(interval) }
    if let parkedInterval { settings.parkedInterval = parkedInterval.time }
    settings.distanceFilter = distanceFilter.map { Meters($0) }
    settings.desiredRadius68 = accuracy.map { Meters($0) }
    settings.sendsFixes = !noFixes
    (settings.sendsEvents, settings.sendsVisits) = (events, visits)
    if events || visits {
      settings.eventUsers =
        eventsOf.isEmpty ? [ProcessEnvironment.userID] : eventsOf.compactMap { try? Self.number(of: $0) }
    }
    settings.healthInterval = health.map { .seconds($0) }
    settings.homeAssistant = homeAssistant
    settings.template = template.flatMap { try? Self.text(of: $0) }
  }

  /// The settings that are given.
  var given: [String] {
    FleetKeys.given([
      "interval": interval != nil, "parked-interval": parkedInterval != nil, "distance-filter": distanceFilter != nil,
      "accuracy": accuracy != nil, "fixes": noFixes, "health": health != nil, "home-assistant": homeAssistant != nil,
      "template": template != nil, "events": events, "visits": visits, "events-of": events || visits,
    ])
  }

  private static func number(of user: String) throws -> UInt32 {
    let selector = try? ClientSelector(parsing: user, in: AccountFiles(SystemFolders().accounts))
    guard let identity = selector?.identity, identity == identity.owner else {
      throw ValidationError(
        "There is no user '\(TerminalText.sanitized(user))': use a name from /etc/passwd, or a number.")
    }
    return identity.userID
  }

  private static func text(of path: String) throws -> String {
    let shown = TerminalText.sanitized(path)
    guard let bytes = try? ReplaceableFile(path: path, maximumSize: 16_384).bytes,
      let text = String(validating: bytes, as: UTF8.self)
    else { throw ValidationError("\(shown) cannot be read as text of at most 16 kB.") }
    if let name = FleetTemplate.unknownName(in: text) {
      let suggestion = Suggestion.nearest(to: name, in: FleetTemplate.names).map { ": use '\($0)'" } ?? ""
      throw ValidationError(
        "\(shown) names '\(TerminalText.sanitized(name))', which is no value\(suggestion). The values are "
          + "\(FleetTemplate.names.joined(separator: ", ")).")
    }
    return text
  }

  /// A time, or `none`.
  struct ParkedInterval: ExpressibleByArgument {
    let time: Duration?

    init?(argument: String) {
      if argument == "none" {
        time = nil
        return
      }
      guard let seconds = try? Bounds.time(argument, from: 60, upTo: Bounds.wait) else { return nil }
      time = .seconds(seconds)
    }
  }
}
