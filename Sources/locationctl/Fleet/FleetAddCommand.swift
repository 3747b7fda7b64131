import ArgumentParser
import Fleet
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
  @Argument(help: ArgumentHelp("The address of the server.", valueName: "url"))
  var url: String
  @OptionGroup(title: "Identity") var identity: FleetIdentityOptions
  @OptionGroup(title: "What is sent") var content: FleetContentOptions
  @OptionGroup(title: "Privacy") var privacy: FleetPrivacyOptions
  @OptionGroup(title: "Connection") var connection: FleetConnectionOptions
  @Flag(help: "Change the settings of a destination that exists. Its outbox stays.")
  var replace = false
  @OptionGroup var messages: MessageOptions

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
    let destination: FleetDestination
    do throws(FleetSettingsError) {
      let address = try FleetAddress(parsing: url, kind: connection.kind)
      destination = try FleetDestination(name: name, address: address, settings: settings)
    } catch {
      return Diagnostics.report(FailureMessage(error))
    }
    return FleetCommand.send(.add(destination, replaces: replace)).confirmed(
      "Positions are sent to \(TerminalText.sanitized(destination.address.publicText)) from now on: "
        + "'locationctl fleet test \(name)' tries it.")
  }
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
  }

  func apply(to settings: inout FleetSettings) {
    if let interval { settings.interval = .seconds(interval) }
    if let parkedInterval { settings.parkedInterval = parkedInterval.time }
    settings.distanceFilter = distanceFilter.map { Meters($0) }
    settings.desiredRadius68 = accuracy.map { Meters($0) }
    settings.sendsFixes = !noFixes
    settings.healthInterval = health.map { .seconds($0) }
    settings.homeAssistant = homeAssistant
    settings.template = template.flatMap { try? Self.text(of: $0) }
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
