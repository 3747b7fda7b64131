import ArgumentParser
package import FleetDestinations
import Geodesy
import LocationIPC
import LocationPolicy

/// What is not sent.
struct FleetPrivacyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Send nothing from inside this region: the name of one of your regions, or LAT,LON,RADIUS in meters.",
      discussion: "May be repeated. A trip ends at the border of the region.", valueName: "region"))
  var hide: [String] = []
  @Option(
    help: ArgumentHelp("Send only positions of these times, such as 'Mo-Fr 07:00-18:00'.", valueName: "schedule"))
  var schedule: FleetSchedule?
  @Flag(help: "Send only the approximate position, within some kilometers.")
  var reduced = false
  @Option(
    help: ArgumentHelp("Do not send what is older than this, such as 7d.", valueName: "amount"),
    transform: { try LogName.amount($0) })
  var retention: LogRetention?

  func validate() throws {
    try HideOption.check(hide)
    if case .megabytes = retention {
      throw ValidationError("Use days for --retention, such as 7d; --keep takes megabytes.")
    }
  }

  /// Throws the exit status if the regions cannot be read, which has been reported then.
  func apply(to settings: inout FleetSettings) throws(CommandStatus) {
    settings.hidden = try HideOption.regions(hide).map { HiddenRegion(name: $0.name, shape: $0.shape) }
    (settings.schedule, settings.isReduced, settings.retention) = (schedule, reduced, retention)
  }
}

extension FleetPrivacyOptions {
  /// The settings that are given.
  var given: [String] {
    FleetKeys.given([
      "hide": !hide.isEmpty, "schedule": schedule != nil, "reduced": reduced, "retention": retention != nil,
    ])
  }
}

/// How it is sent.
struct FleetConnectionOptions: ParsableArguments {
  @Option(help: "The protocol of an HTTP address without a prefix: owntracks-http, osmand, overland or http.")
  var kind: FleetKind?
  @Option(help: ArgumentHelp("The account at the server.", valueName: "name"))
  var account: String?
  @Option(
    help: FleetConnectionOptions.help("The file with the password, or with an HTTP token if there is no account."))
  var password: FleetCredential?
  @Option(help: FleetConnectionOptions.help("Trust the authorities in this file (PEM) instead of the system's."))
  var ca: FleetCredential?
  @Option(help: FleetConnectionOptions.help("The certificate of this machine (PEM)."))
  var cert: FleetCredential?
  @Option(help: FleetConnectionOptions.help("The key of this machine's certificate (PEM)."))
  var key: FleetCredential?
  @Option(
    help: FleetConnectionOptions.help("Encrypt end to end with the OwnTracks secret in this file ('fleet keygen')."))
  var encrypt: FleetCredential?
  @Option(
    help: ArgumentHelp("The most messages per second (default: 10).", valueName: "messages"),
    transform: { try Bounds.count($0) })
  var rate: Int?
  @Option(
    help: ArgumentHelp("Connect only this often.", valueName: "time"),
    transform: { try Bounds.time($0, from: 10, upTo: Bounds.wait) })
  var batch: Double?
  @Option(
    help: ArgumentHelp("The size of the outbox (default: 64MB, at least 120,000 positions).", valueName: "amount"),
    transform: { try LogName.amount($0) })
  var keep: LogRetention?
  @Flag(help: "Let the broker keep the last position for programs that connect later.")
  var retain = false
  @Flag(help: "Count messages as sent even if nobody has subscribed to them.")
  var unheard = false
  @Flag(help: "Allow an unencrypted connection to another machine.")
  var insecure = false
  @Option(
    help: ArgumentHelp(
      "What the server may request: 'reports' (the position, and with --health the state).", valueName: "requests"))
  var commands: Requests?

  enum Requests: String, ExpressibleByArgument, CaseIterable { case reports }

  fileprivate static func help(_ text: String) -> ArgumentHelp { ArgumentHelp("\(text)", valueName: "file") }

  func validate() throws {
    if case .days = keep { throw ValidationError("Use megabytes for --keep, such as 64MB; --retention takes days.") }
  }

  /// The settings that are given.
  var given: [String] {
    FleetKeys.given([
      "account": account != nil, "password": password != nil, "ca": ca != nil, "cert": cert != nil, "key": key != nil,
      "encrypt": encrypt != nil, "rate": rate != nil, "batch": batch != nil, "keep": keep != nil, "retain": retain,
      "unheard": unheard, "insecure": insecure, "commands": commands != nil,
    ])
  }

  func apply(to settings: inout FleetSettings) {
    settings.account = account
    settings.credentials.password = password
    settings.credentials.authorities = ca
    settings.credentials.certificate = cert
    settings.credentials.key = key
    settings.credentials.encryptionSecret = encrypt
    if let rate { settings.rate = rate }
    settings.batch = batch.map { .seconds($0) }
    if case .megabytes(let amount) = keep { settings.keep = amount }
    (settings.retains, settings.acceptsUnheard, settings.allowsUnencrypted) = (retain, unheard, insecure)
    if commands == .reports { settings.commands = .reports }
  }
}

extension FleetKind: ExpressibleByArgument {
  package init?(argument: String) { self.init(name: argument) }
  package static var allValueStrings: [String] { allCases.filter { $0 != .mqtt }.map(\.name) }
  package static var allValueDescriptions: [String: String] { [:] }
  package var defaultValueDescription: String { name }
}

extension FleetSchedule: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// An absolute path, because locationd reads the file, or `credential:NAME` for one of its unit's.
extension FleetCredential: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
