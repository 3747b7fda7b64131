import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import Regions

/// `locationctl region`: manages geofences, which locationd monitors whether or not a user is logged in.
struct RegionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "region",
    abstract: "Run a command or show a notification when this machine enters or leaves a region.",
    discussion: """
      locationd watches the regions, even across reboots. An event is reported when it is sufficiently certain that the machine \
      is on the other side of the border. If you are already inside when you add a region, no event is sent. Commands run as \
      you, at least once for each event; if LOCATION_ATTEMPT is above 1, the command may have run before. A command that ends \
      with status 75 runs again later.
      """,
    subcommands: [Add.self, Import.self, Remove.self, List.self, Watch.self])

  /// The region list that this program uses for itself.
  static let list = "locationctl"

  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Watch a circle or a polygon. A region with the same name is replaced.",
      discussion: """
        An example is an anchor watch: locationctl region add anchor --here --radius 40 --on-exit CMD --on-unknown CMD. Do not rely \
        on it for safety.
        """)
    @Argument(help: ArgumentHelp("The name of the region.", valueName: "name"), completion: ServiceNames.regions)
    var name: String
    /// What is typed in the place of an option, to name that option in the error.
    @Argument(help: .hidden) var misplaced: String?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The center of a circle: degrees such as 47.3769,8.5417, or any other notation.",
        valueName: PlaceArgument.valueName),
      transform: { try PlaceArgument.parse($0) })
    var at: PlaceArgument?
    @Option(
      help: ArgumentHelp("The center of the circle: an address, as in 'Städtle 49, Vaduz'.", valueName: "text"))
    var address: String?
    @Option(help: ArgumentHelp("The border of a town or of another named area.", valueName: "town"))
    var area: String?
    @Flag(help: "The center of the circle is where this machine is now.")
    var here = false
    @Option(
      help: ArgumentHelp("The radius of the circle (default: 150).", valueName: "meters"),
      transform: { text in
        guard let value = Double(text) else { throw ValidationError("Use a number of meters.") }
        return value
      })
    var radius: Double?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The corners of a polygon, in one argument: '47.1,8.1 47.2,8.1 47.2,8.3'.", valueName: "corners"))
    var polygon: CornersArgument?
    @OptionGroup var launch: LaunchOptions
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var plain: PlainOption
    @OptionGroup var messages: MessageOptions

    /// Not `validate`, which runs before the error about an option that does not exist.
    private func check() throws {
      if let misplaced {
        let isPlace = (try? PlaceArgument.parse(misplaced)) != nil
        let shown = TerminalText.sanitized(misplaced)
        throw ValidationError(
          "The argument '\(shown)' is not understood: "
            + (isPlace
              ? "for the center of a circle, use --at \(shown)." : "give the center of a circle with --at LAT,LON."))
      }
      if [at != nil, polygon != nil, here, address != nil, area != nil].count(where: \.self) != 1 {
        throw ValidationError("Use one of --at LAT,LON, --address TEXT, --area TOWN, --here and --polygon CORNERS.")
      }
      if area != nil, radius != nil {
        throw ValidationError("An area has a border, and no radius: leave out --radius.")
      }
      if polygon != nil, radius != nil { throw ValidationError("A polygon has no radius: leave out --radius.") }
    }

    func execute() throws -> CommandStatus {
      try check()
      let region: Region
      var named: Coordinate?
      var border: [Coordinate]?
      do throws(FailureMessage) {
        if let address { named = try RegionPlace.position(of: address) }
        if let area { border = try RegionPlace.border(of: area) }
      } catch {
        return Diagnostics.report(error)
      }
      do throws(RegionError) {
        // Validate the region before the user has to wait for a position.
        let middle = at?.coordinate ?? named ?? Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 0))
        let drawn = try Region(identifier: name, shape: try shape(around: middle, border))
        if here {
          let center: Coordinate
          do throws(CommandStatus) {
            center = try CurrentPosition.find(radius: Meters(radius ?? 150), purpose: purpose.text)
          } catch {
            return error
          }
          region = try Region(identifier: name, shape: try shape(around: center, border))
        } else {
          region = drawn
        }
      } catch {
        return Diagnostics.report(FailureMessage(error, of: name))
      }
      return RegionAdding.run([region], launch, purpose: purpose.text)
        .confirmed("Watching the region '\(TerminalText.sanitized(name))'.")
    }

    private func shape(around center: Coordinate, _ border: [Coordinate]?) throws(RegionError) -> RegionShape {
      if let border { return .polygon(try PolygonShape(corners: border)) }
      if let polygon { return .polygon(try PolygonShape(corners: polygon.corners)) }
      return .circle(try CircleShape(center: center, radius: Meters(radius ?? 150)))
    }
  }

  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Watch all regions of a GeoJSON or KML file.",
      discussion: """
        Holes in polygons are ignored. A point becomes a circle with the radius from the file, else with the radius from \
        --radius. Regions with the same name are replaced. If the file cannot be read to its end, or has more regions than the \
        limit, nothing is changed.
        """)
    @Argument(help: ArgumentHelp("The GeoJSON or KML file.", valueName: "file"))
    var file: String
    @Option(
      help: ArgumentHelp(
        "The radius of points that have none in the file. Without this option, such points are left out.",
        valueName: "meters"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "meters") })
    var radius: Double?
    @OptionGroup var launch: LaunchOptions
    @OptionGroup var purpose: PurposeOption
    @OptionGroup var plain: PlainOption

    func execute() -> CommandStatus {
      let (need, remarks): (RegionQuota.Need, [String])
      let (input, names): (RegionFileInput, RegionFileInput)
      do throws(FailureMessage) {
        (need, remarks) = try RegionFileInput.check(file, defaultRadius: radius)
        names = try RegionFileInput(file, defaultRadius: radius)
        input = try RegionFileInput(file, defaultRadius: radius)
      } catch {
        return Diagnostics.report(error)
      }
      for remark in remarks { Diagnostics.print(remark) }
      // The regions are sent in several requests: if a later one did not fit, the earlier ones would stay.
      let full = RegionQuota.check(need, of: file, purpose: purpose.text) { () throws(FailureMessage) in
        try names.next()
      }
      if let full { return full }
      let status = RegionAdding.run(launch, purpose: purpose.text, of: need.count) { () throws(FailureMessage) in
        try input.next()
      }
      if status == .done { Diagnostics.print("Watching \(CountedNoun.text(need.count, "region")).") }
      return status
    }
  }

  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Stop watching these regions.")
    @Argument(help: ArgumentHelp("The names of the regions.", valueName: "name"), completion: ServiceNames.regions)
    var names: [String] = []
    @Flag(help: "Remove all regions that locationctl has added.")
    var all = false
    @OptionGroup var force: ForceOption
    @OptionGroup var messages: MessageOptions

    func validate() throws {
      if all == !names.isEmpty { throw ValidationError("Use either the names of regions or --all.") }
      if names.count > MessageLimits.regions {
        throw ValidationError(
          "One command removes at most \(MessageLimits.regions) regions: remove the others with another command.")
      }
    }

    func execute() -> CommandStatus {
      if all {
        do throws(CommandStatus) {
          try force.permits("all regions that locationctl has added, and their commands")
        } catch {
          return error
        }
      }
      let done =
        all ? "Removed all regions." : "Removed \(names.map { TerminalText.sanitized($0) }.joined(separator: ", "))."
      return MonitoringSession.open { RegionRemoval($0, names, all: all).execute() }.confirmed(done)
    }
  }

  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List your regions and whether this machine is inside.")
    @OptionGroup var report: ReportStyle

    func execute() -> CommandStatus {
      MonitoringSession.open { RegionListing($0, asJSON: report.isJSON).execute() }
    }
  }

  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print one line per event of your regions.")
    @OptionGroup var limits: EventLimits

    func execute() -> CommandStatus {
      MonitoringSession.open { session in
        EventStream(session, limits) { if case .region = $0.subject { true } else { false } }.run()
      }
    }
  }
}
