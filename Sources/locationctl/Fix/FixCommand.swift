import ArgumentParser
import Geodesy
import LocationIPC
import LocationPolicy
import LocationdHost
import LocationdService
import TrackFormats

/// `locationctl fix`: prints one fix, or the reason why there is none.
struct FixCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "fix", abstract: "Print one fix and end.",
    discussion: """
      The time of a single fix is often "not confirmed" (timeConfirmed false in JSON): unless the receiver itself reports that it is \
      sure of the date, three fixes in a row have to agree on it first.
      """)

  @OptionGroup var search: FixOptions
  @OptionGroup var style: StyleOptions
  @OptionGroup var places: PlaceOption
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption

  func validate() throws { try places.validate(style) }

  func execute() throws -> CommandStatus {
    let (style, notations) = (style.style(forPeople: Results.areForPeople), style.notations.styles)
    let names: PlaceNames?
    do throws(FailureMessage) { names = try places.names() } catch { return Diagnostics.report(error) }
    return Self.search(from: try origin.resolved(), purpose: purpose.text, search.request) { located in
      var located = located
      located.notations = notations
      let found = names?.place(of: located)
      located.place = found?.line
      let bytes = style.bytes(located, .ofFixes)
      if let failure = Results.write(style == .format(.json) ? PlaceNames.adding(found, to: bytes) : bytes) {
        return failure
      }
      if style != .format(.json) { names?.printAttributions() }
      return .done
    }
  }

  /// `locationctl fix` without any argument, which runs without the argument parser.
  static func executePlain() throws -> CommandStatus {
    let style = OutputStyle.format(Results.areForPeople ? .text : .json)
    return search(from: try SourceOptions.fromEnvironment(), OneShotOptions()) { located in
      Results.write(style.bytes(located, .ofFixes)) ?? .done
    }
  }

  /// Gets one fix and passes it to `show`; returns the exit status.
  static func search(
    from source: SourceSelection, purpose: String? = nil, _ options: OneShotOptions,
    _ show: @escaping (LocatedFix) -> CommandStatus
  ) -> CommandStatus {
    CommandSession.withService(source, purpose: purpose) { session in
      FixSearch(session, options, usesOnlyWiFi: source == .wifi) { located in
        var located = located
        located.isYoungEnough = (located.age ?? .zero) <= options.maximumAge
        located.isAccuracyMet = options.desiredRadius68.map { located.fix.horizontalRadius68 <= $0 }
        // A client with reduced accuracy receives a wider radius than the one that fulfilled the request.
        if options.accuracyRule == .required, located.isAccuracyMet == false, !options.acceptsLastKnown {
          return Diagnostics.report(
            FailureMessage(.notAccurateEnough(path: "", best: located.fix.horizontalRadius68)))
        }
        return show(located)
      }.run()
    }
  }
}
