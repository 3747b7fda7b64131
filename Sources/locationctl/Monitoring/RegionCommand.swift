import ArgumentParser
import Geodesy
import LocationDaemon
import LocationIPC
import LocationPolicy
import Regions

/// `locationctl region`: geofences, watched by locationd whether anybody is logged in or not.
struct RegionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "region", abstract: "Watch regions: run a command, or show a notice, when one is entered or left.",
    discussion: """
      locationd watches, also after the machine has begun anew. A border is crossed when the position is surely beyond it; who is \
      inside at the beginning has not entered. Commands run as you, at least once for each event; LOCATION_ATTEMPT above 1 says \
      that it may not be the first time. One that ends with status 75 is run again later.
      """,
    subcommands: [Add.self, Import.self, Remove.self, List.self, Watch.self])

  /// The list that is this program's own.
  static let list = "locationctl"
  /// A sync on a slow card may take seconds.
  static let patience: Duration = .seconds(60)

  /// `region add`.
  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Watch a circle or a polygon; one of the same name is replaced.",
      discussion: """
        An anchor watch: locationctl region add anchor --here --radius 40 --on-exit CMD --on-unknown CMD. It is no safety device.
        """)
    @Argument(help: ArgumentHelp("What you call it.", valueName: "name"))
    var name: String
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The middle of a circle: degrees, as 47.3769,8.5417.", valueName: "lat,lon"))
    var at: PlaceArgument?
    @Flag(help: "The middle of a circle is where this machine is now.")
    var here = false
    @Option(
      help: ArgumentHelp("Its radius; 150 without this.", valueName: "metres"),
      transform: { text in
        guard let value = Double(text) else { throw ValidationError("Give metres.") }
        return value
      })
    var radius: Double?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The corners of a polygon, in one word: '47.1,8.1 47.2,8.1 47.2,8.3'.", valueName: "corners"))
    var polygon: CornersArgument?
    @OptionGroup var launch: LaunchOptions
    @OptionGroup var purpose: PurposeOption

    func validate() throws {
      if [at != nil, polygon != nil, here].count(where: \.self) != 1 {
        throw ValidationError("Give either --at LAT,LON, --here or --polygon CORNERS.")
      }
      if polygon != nil, radius != nil { throw ValidationError("A polygon has no radius: leave out --radius.") }
    }

    func execute() -> CommandStatus {
      let region: Region
      do throws(RegionError) {
        // What is wrong with it shows before anybody waits for a position.
        let middle = at?.coordinate ?? Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 0))
        let drawn = try Region(identifier: name, shape: try shape(around: middle))
        if here {
          var status = CommandStatus.done
          guard let here = HereSearch.find(radius: Meters(radius ?? 150), purpose: purpose.text, status: &status) else {
            return status
          }
          region = try Region(identifier: name, shape: try shape(around: here))
        } else {
          region = drawn
        }
      } catch {
        return Diagnostics.end(FailureSentence(error, of: name))
      }
      return RegionAdding.run([region], launch, purpose: purpose.text)
    }

    private func shape(around center: Coordinate) throws(RegionError) -> RegionShape {
      if let polygon { return .polygon(try PolygonShape(corners: polygon.corners)) }
      return .circle(try CircleShape(center: center, radius: Meters(radius ?? 150)))
    }
  }

  /// `region import`.
  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Watch all regions of a GeoJSON or KML file.",
      discussion: """
        Polygons without their holes; points as circles of the radius that they tell, or of --radius. Regions of the same names \
        are replaced. A file that cannot be read to its end, or has more regions than may be kept, changes nothing.
        """)
    @Argument(help: ArgumentHelp("The file.", valueName: "file"))
    var file: String
    @Option(
      help: ArgumentHelp("The radius of points that tell none; without this they are left out.", valueName: "metres"),
      transform: { try Bounds.positive($0, upTo: Bounds.meters, unit: "metres") })
    var radius: Double?
    @OptionGroup var launch: LaunchOptions
    @OptionGroup var purpose: PurposeOption

    func execute() -> CommandStatus {
      let (need, remarks): (RegionRoom.Need, [String])
      let (input, names): (RegionFileInput, RegionFileInput)
      do throws(FailureSentence) {
        (need, remarks) = try RegionFileInput.check(file, defaultRadius: radius)
        names = try RegionFileInput(file, defaultRadius: radius)
        input = try RegionFileInput(file, defaultRadius: radius)
      } catch {
        return Diagnostics.end(error)
      }
      for remark in remarks { Diagnostics.say(remark) }
      // They are handed over in several requests, of which the first ones would stay.
      let full = RegionRoom.check(need, of: file, purpose: purpose.text) { () throws(FailureSentence) in
        try names.next()
      }
      if let full { return full }
      let status = RegionAdding.run(launch, purpose: purpose.text, of: need.count) { () throws(FailureSentence) in
        try input.next()
      }
      if status == .done { Diagnostics.say("\(need.count) regions are watched.") }
      return status
    }
  }

  /// `region remove`.
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Watch these no more.")
    @Argument(help: ArgumentHelp("Their names.", valueName: "name"))
    var names: [String] = []
    @Flag(help: "All that this command has added.")
    var all = false

    func validate() throws {
      if all == !names.isEmpty { throw ValidationError("Name regions, or give --all.") }
      if names.count > MessageLimits.regions {
        throw ValidationError("At most \(MessageLimits.regions) at once: give the others in another command.")
      }
    }

    func execute() -> CommandStatus {
      List.withService(.automatic) { RegionRemoving(host: $0, names, all: all).execute() }
    }
  }

  /// `region list`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the regions that are watched for you, and where this machine is.")
    @Flag(help: "One JSON object a line; so also in a pipe.")
    var json = false

    func execute() -> CommandStatus {
      let asJSON = json || !Results.areForPeople
      return Self.withService(.automatic) { RegionListing(host: $0, asJSON: asJSON).execute() }
    }
  }

  /// `region watch`.
  struct Watch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print what happens at the regions that are watched for you, a line each.")
    @OptionGroup var limits: FollowLimits

    func execute() -> CommandStatus {
      Self.withService(.automatic) { host in
        EventFollowing(host: host, limits: limits) { if case .region = $0.subject { true } else { false } }.execute()
      }
    }
  }
}
