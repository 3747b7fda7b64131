import ArgumentParser
import LinuxIO
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdService
import NetworkSources

/// `--source`, otherwise LOCATIOND_SOURCE, otherwise any attached receiver. The setting `source` of locationd.conf is
/// used only if no daemon answers.
struct SourceOptions: ParsableArguments {
  /// A source as it was given. The parser would repeat the text of an invalid one, which may contain a password; therefore
  /// `validate()` reports it.
  enum Given {
    case valid(SourceSelection)
    case invalid(ValidationError)
  }

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "Where fixes come from: \(SourceOptions.all).",
      discussion: "The default is the value of LOCATIOND_SOURCE, else auto.", valueName: "source"),
    completion: ServiceNames.sources,
    transform: { try SourceOptions.given($0) })
  var given: Given?

  // Not in the closure: Swift 6.2.3, which builds for arm64, crashes on errors that are caught by type there.
  private static func given(_ text: String) throws -> Given {
    do {
      return .valid(try parse(text))
    } catch let error as ValidationError {
      return .invalid(error)
    }
  }

  /// The source that was named.
  var source: SourceSelection? { if case .valid(let source)? = given { source } else { nil } }

  func validate() throws { if case .invalid(let error)? = given { throw error } }

  /// The source to use; throws a usage error if the environment names a source that does not exist.
  func resolved() throws -> SourceSelection { try source ?? Self.fromEnvironment() }

  /// The source if the command line names none: that of LOCATIOND_SOURCE, otherwise any attached receiver.
  static func fromEnvironment() throws -> SourceSelection {
    guard let text = ProcessEnvironment.value(SettingKey.source.variable), !text.isEmpty else { return .automatic }
    do {
      return try parse(text)
    } catch let error as ValidationError {
      throw ValidationError("The value of LOCATIOND_SOURCE is wrong. \(error.message)")
    }
  }

  private static let all =
    "auto, gpsd[:HOST[:PORT]], serial:PATH[@BAUD] or /dev/NAME[@BAUD], tcp://HOST:PORT, tcp-listen://ADDRESS:PORT?from=RANGE, "
    + "udp://ADDRESS:PORT?from=RANGE, replay:FILE, wifi, simulator or a receiver's name"

  static func parse(_ text: String) throws -> SourceSelection {
    do throws(SourceSyntaxError) {
      return try SourceSelection(parsing: text)
    } catch {
      // The files are read only now, because that takes time.
      guard case .unknown = error else { throw ValidationError(sentence(error)) }
      let receivers = ConfigurationFiles.ofProcess.load().settings.receivers.receivers
      if let receiver = receivers.first(where: { $0.name == text }) { return .receiver(receiver) }
      if let near = Suggestion.nearest(to: text, in: receivers.map(\.name) + SourceSelection.words) {
        throw ValidationError("There is no source '\(shown(text))': did you mean '\(near)'?")
      }
      throw ValidationError(sentence(error))
    }
  }

  /// The text for a message, without a user name and a password.
  private static func shown(_ text: String) -> String { TerminalText.sanitized(NetworkSource.withoutCredentials(text)) }

  private static func sentence(_ error: SourceSyntaxError) -> String {
    switch error {
    case .unknown(let text):
      "There is no source '\(shown(text))': use \(Self.all)."
    case .missingPath(let kind, let example):
      "The path of the source '\(kind):' is missing: use a source such as \(example)."
    case .badSpeed(let text):
      "'\(TerminalText.sanitized(text))' is not a baud rate: use \(SourceSelection.baudRange.lowerBound) to "
        + "\(SourceSelection.baudRange.upperBound) baud."
    case .badNetwork(let error): error.sentence
    case .corrections:
      "This is a source of corrections and not of positions: write it as 'url=' into a file in /etc/locationd/ntrip, then run "
        + "'sudo locationctl ntrip use NAME' with the name of the file."
    case .badAddress(let text):
      "'\(shown(text))' is not an address: use a source such as gpsd:192.168.1.7 or gpsd:[fe80::1]:2947."
    case .notBuiltYet(let kind):
      "This build does not have the source '\(kind)': use \(Self.all)."
    }
  }
}
