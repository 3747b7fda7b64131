import ArgumentParser
import Geodesy
import LinuxIO
import LocationPolicy
import PlacesCore
import PlacesData
import TrackFormats

/// `locationctl timezone`: prints the time zone of a position, and makes it that of the machine.
struct TimezoneCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "timezone", abstract: "Print the time zone of a position, or set it for this machine.",
    discussion: """
      With --watch, the zone is printed when it changes: as soon as the position is surely, by three radii, in another zone. The command \
      of --on-change runs with the new zone in LOCATION_TIMEZONE and the old one in LOCATION_OLD_TIMEZONE.
      """)

  @OptionGroup var position: PositionArgument
  @Flag(help: "Make it the time zone of this machine, with timedatectl or /etc/localtime.")
  var set = false
  @Flag(help: "Continue, and print the zone whenever it changes.")
  var watch = false
  @Option(
    help: ArgumentHelp("With --watch, run this command, by /bin/sh, after each change.", valueName: "command"))
  var onChange: String?
  @OptionGroup var report: ReportStyle
  @OptionGroup var search: FixOptions
  @OptionGroup var purpose: PurposeOption
  @OptionGroup var origin: SourceOptions
  @OptionGroup var plain: PlainOption

  func validate() throws {
    try position.validate(search, origin, purpose)
    if watch, position.coordinate != nil {
      throw ValidationError("--watch follows this machine: leave out the position.")
    }
    if watch, search.areGiven {
      throw ValidationError("--watch waits for every fix: leave out the options for one fix.")
    }
    if onChange != nil, !watch { throw ValidationError("--on-change requires --watch.") }
  }

  func execute() throws -> CommandStatus {
    let world: WorldPlaces
    do throws(FailureMessage) {
      guard let found = try PlaceData.openWorld() else { throw .noZones }
      world = found
    } catch {
      return Diagnostics.report(error)
    }
    if watch {
      return CommandSession.withService(try origin.resolved(), purpose: purpose.text) { session in
        var last: String?
        return TimezoneWatch(session, world) { old, new, isSure in
          defer { last = new }
          return apply(new, after: old, isNew: new != last, isSure: isSure)
        }.run()
      }
    }
    if let coordinate = position.coordinate { return show(world, coordinate) }
    return FixCommand.search(from: try origin.resolved(), purpose: purpose.text, search.request) { located in
      guard let zone = world.timeZone(at: located.fix.coordinate) else { return Diagnostics.report(.noZones) }
      let isSure = ZoneCertainty.isSure(
        zone, at: located.fix.coordinate, radius: located.fix.horizontalRadius68, world)
      return apply(zone, after: nil, isSure: isSure)
    }
  }

  /// `timezone LAT,LON` without options.
  static func executePlain(_ coordinate: Coordinate) -> CommandStatus {
    do throws(FailureMessage) {
      guard let zone = try PlaceData.openWorld()?.timeZone(at: coordinate) else { throw .noZones }
      return Results.write(bytes(zone, isJSON: !Results.areForPeople)) ?? .done
    } catch {
      return Diagnostics.report(error)
    }
  }

  private func show(_ world: WorldPlaces, _ coordinate: Coordinate) -> CommandStatus {
    guard let zone = world.timeZone(at: coordinate) else { return Diagnostics.report(.noZones) }
    return apply(zone, after: nil)
  }

  /// Prints a zone, sets it, and runs the command.
  ///
  /// - Parameters:
  ///   - isNew: whether the zone was not printed before.
  ///   - isSure: whether the position is surely in the zone; otherwise the zone is not set.
  private func apply(_ zone: String, after old: String?, isNew: Bool = true, isSure: Bool = true) -> CommandStatus {
    if isNew, let failure = Results.write(Self.bytes(zone, isJSON: report.isJSON)) { return failure }
    if set, !isSure {
      guard watch else {
        return Diagnostics.report(
          FailureMessage(
            "The time zone was not set, because a border is nearer than the position is accurate: try again, or run "
              + "'locationctl timezone LAT,LON --set'.", .locationUnknown))
      }
    } else if set {
      let status = MachineTimeZone.set(zone)
      guard status == .done else { return status }
    }
    if let onChange, let old {
      let environment = ProcessEnvironment.variables + ["LOCATION_TIMEZONE=\(zone)", "LOCATION_OLD_TIMEZONE=\(old)"]
      do throws(SystemError) {
        let process = try ChildProcess("/bin/sh", ["-c", onChange], environment: environment)
        if process.finish().ending != .exited(0) { Diagnostics.print("The command of --on-change has failed.") }
      } catch {
        Diagnostics.print("The command of --on-change cannot run (\(ErrorDescription.of(error.errno))).")
      }
    }
    return .done
  }

  private static func bytes(_ zone: String, isJSON: Bool) -> [UInt8] {
    isJSON ? TimezoneDescription.object(zone, at: WallClock.now()).line : Array("\(zone)\n".utf8)
  }
}

extension FailureMessage {
  static var noZones: FailureMessage {
    FailureMessage(
      "No time zones are installed for this position: see 'locationctl places list'.",
      .noData)
  }
}

/// A time zone for scripts.
enum TimezoneDescription {
  static func object(_ zone: String, at now: GNSSTime) -> JSONObject {
    var object = JSONObject()
    object.add("timeZone", .text(zone))
    guard let rules = MachineTimeZone.rules(zone) else { return object }
    let seconds = now.secondsAndNanoseconds.seconds
    let local = rules.localTime(at: seconds)
    object.add("utcOffset", .number(local.offset))
    object.add("abbreviation", .text(local.abbreviation))
    object.add("isDaylight", .flag(local.isDaylight))
    if let next = rules.nextTransition(after: seconds) {
      object.add("nextTransition", .text(Timestamp(GNSSTime(nanosecondsSince1970: next * 1_000_000_000))?.iso8601))
    }
    return object
  }
}
