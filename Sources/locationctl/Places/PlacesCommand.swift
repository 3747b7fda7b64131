import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import PlacesCore
import PlacesData
import TrackFormats

/// `locationctl places`: addresses, towns and time zones, from files on this machine.
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Find the address of a position, and the position of an address, without a network.",
    discussion: """
      Towns, countries and time zones of the world are installed with this program. No daemon is needed, unless the position of this \
      machine is asked for, and nothing leaves this machine unless an administrator has set places-provider: then 'at' and 'find' ask that \
      server, through locationd, where no imported file has an answer. 'install' and 'update' fetch files from a server that you have \
      chosen.
      """,
    subcommands: [At.self, Find.self, List.self, Import.self, Install.self, Update.self, Remove.self])

  /// `places at`.
  struct At: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "at", abstract: "Print what is at a position: the address, the town, the country and the time zone.",
      discussion: """
        Without a position, the position of this machine is used. With --accuracy, a given position is only known within this radius \
        (68 %): a house number is printed only if it is probably the right one.
        """)

    @OptionGroup var position: PositionArgument
    @OptionGroup var language: LanguageOption
    @OptionGroup var style: PlaceStyle
    @OptionGroup var search: FixOptions
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var origin: SourceOptions
    @OptionGroup var plain: PlainOption

    func validate() throws {
      try position.validate(search, origin, purpose, allowing: search.accuracy != nil ? 1 : 0)
    }

    func execute() throws -> CommandStatus {
      let data: PlaceData
      do throws(FailureMessage) { data = try PlaceData.open() } catch { return Diagnostics.report(error) }
      if let coordinate = position.coordinate {
        return show(data, ReverseQuery(coordinate, accuracy: search.accuracy.map { Meters($0) }), nil)
      }
      // A second session, for the server, begins after the end of the first one.
      var located: LocatedFix?
      let status = FixCommand.search(from: try origin.resolved(), purpose: purpose.text, search.request) {
        located = $0
        return .done
      }
      guard let located, status == .done else { return status }
      return show(data, ReverseQuery(located.fix.coordinate, accuracy: located.fix.horizontalRadius68), located)
    }

    /// `places at LAT,LON` without options.
    static func executePlain(_ coordinate: Coordinate) -> CommandStatus {
      let data: PlaceData
      do throws(FailureMessage) { data = try PlaceData.open() } catch { return Diagnostics.report(error) }
      return show(data, ReverseQuery(coordinate, languages: LanguageOption.ofEnvironment), nil) { found in
        Results.areForPeople ? PlaceTable.bytes([found]) : FoundPlaceKey.object(found).line
      }
    }

    private func show(_ data: PlaceData, _ query: ReverseQuery, _ located: LocatedFix?) -> CommandStatus {
      var query = query
      query.languages = language.preferred
      return Self.show(data, query, located) { style.bytes([$0]) }
    }

    private static func show(
      _ data: PlaceData, _ query: ReverseQuery, _ located: LocatedFix?, bytes: (FoundPlace) -> [UInt8]
    ) -> CommandStatus {
      var found: Place?
      do throws(PlaceError) { found = try data.finder.place(at: query) } catch {
        return Diagnostics.report(FailureMessage(error))
      }
      if data.finder.mayBeRefined(found), let place = ProviderQuery.places(.at(query), data).first,
        found == nil || place.isFinerThanTown
      {
        found = place
      }
      guard let found else {
        return Diagnostics.report(
          FailureMessage(
            "The installed data has nothing at this position: list the data with 'locationctl places list'.", .noData))
      }
      return Results.write(bytes(FoundPlace(found, data, located))) ?? .done
    }
  }

  /// `places find`.
  struct Find: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "find", abstract: "Print the positions of an address, a street or a town, the most likely first.",
      discussion: """
        Write the text as on an envelope, without the country: 'Städtle 49, Vaduz' or 'Springfield, IL'. One typing error in a word is \
        found. A result that explains only a part of the text has "match" partial.
        """)

    @Argument(help: ArgumentHelp("The address, the street or the town.", valueName: "text"))
    var text: String
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Places near this position come first; others follow. With a third number, those within as many meters.",
        valueName: "lat,lon[,meters]"),
      transform: { try NearArgument.parse($0) })
    var near: NearArgument?
    @Option(
      help: ArgumentHelp("Print at most this many places (default and maximum: 10).", valueName: "number"),
      transform: { try Bounds.count($0) })
    var limit: Int?
    @Flag(help: "The last word may be the beginning of a word.")
    var complete = false
    @OptionGroup var language: LanguageOption
    @OptionGroup var style: PlaceStyle
    @OptionGroup var plain: PlainOption

    func validate() throws {
      if TextFolding.fold(text).isEmpty {
        throw ValidationError("The text is empty: use the name of a street, a town or an address.")
      }
    }

    func execute() -> CommandStatus {
      let data: PlaceData
      do throws(FailureMessage) { data = try PlaceData.open() } catch { return Diagnostics.report(error) }
      let query = ForwardQuery(
        .text(text), near: near?.hint, languages: language.preferred, limit: limit ?? ForwardQuery.mostPlaces,
        completesLastWord: complete)
      var found: [Place]
      do throws(PlaceError) { found = try data.finder.places(matching: query) } catch {
        return Diagnostics.report(FailureMessage(error))
      }
      // The owners of servers permit no requests while a person types.
      if !complete, data.finder.mayBeRefined(found) {
        let places = ProviderQuery.places(.find(query), data)
        if !places.isEmpty { found = places }
      }
      guard !found.isEmpty else {
        return Diagnostics.report(
          FailureMessage(
            "The installed data has no '\(TerminalText.sanitized(text))': check the spelling, or list the data with "
              + "'locationctl places list'.", .noData))
      }
      return Results.write(style.bytes(found.map { FoundPlace($0, data, nil) })) ?? .done
    }
  }

  /// `places list`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the data that is installed, with its license and its date.")
    @OptionGroup var report: ReportStyle
    @OptionGroup var plain: PlainOption

    func execute() -> CommandStatus {
      let data: PlaceData
      do throws(FailureMessage) { data = try PlaceData.open() } catch { return Diagnostics.report(error) }
      return Results.write(report.isJSON ? PlaceListing.json(data) : PlaceListing.table(data)) ?? .done
    }
  }
}
