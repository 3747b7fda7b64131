import ArgumentParser
import Geodesy
import LocationReplay

/// `locationctl simulate`: writes the output of a receiver that is carried along a track.
struct SimulateCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Simulate a receiver that moves along a GPX track.",
    discussion: """
      Writes what a receiver would send, for 'locationctl replay' and 'locationctl evaluate': NMEA or UBX, or a capture if the \
      name of the output ends in .capture. Between two points the receiver moves at a constant speed. The receiver is off between \
      segments that are more than 10 s apart, and between points that are more than an hour apart. If some points have a time, points \
      without one are left out. The simulated errors change slowly, as real ones do: with a time constant of 35 s under an open \
      sky and of 10 s with reflections. The same seed gives the same bytes. The output is marked as simulated.
      """)

  @Argument(help: ArgumentHelp("The track: any GPX file.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The file to write; the default is standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write the true positions to this file, as CSV with t, lat and lon.", valueName: "file"))
  var truth: String?

  @Flag(help: "Replace files that exist.")
  var force = false

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The protocol of the receiver: nmea or ubx.", valueName: "protocol"))
  var language = SimulatedProtocol.nmea

  @Option(
    help: ArgumentHelp("Updates per second (default: 1).", valueName: "hertz"), transform: { try Bounds.rate($0) })
  var rate: Int = 1

  @Option(
    help: ArgumentHelp("The speed along a track without times, in meters per second.", valueName: "speed"),
    transform: { try SimulateCommand.speed($0) })
  var speed: Double?

  @Option(
    help: ArgumentHelp(
      "The standard deviation of the errors to the north and to the east under an open sky (default: 1.2).",
      valueName: "meters"),
    transform: { try Bounds.notNegative($0, upTo: 10_000, unit: "meters") })
  var noise: Double = RouteConditions().noiseMeters

  @Option(
    help: ArgumentHelp(
      "The standard deviation of the errors that reflections add everywhere (default: 0).", valueName: "meters"),
    transform: { try Bounds.notNegative($0, upTo: 10_000, unit: "meters") })
  var multipath: Double = 0

  @Option(
    help: ArgumentHelp(
      "A section between tall buildings, in seconds from the beginning: reflections add 6 m or more, and only high satellites are "
        + "received. Can be repeated.", valueName: "from-to"), transform: { try TimeSpan.parse($0) })
  var canyon: [Range<Duration>] = []

  @Option(
    help: ArgumentHelp(
      "A section without satellites, in seconds from the beginning. Can be repeated.", valueName: "from-to"),
    transform: { try TimeSpan.parse($0) })
  var tunnel: [Range<Duration>] = []

  @Option(help: ArgumentHelp("The seed of the random errors.", valueName: "number"))
  var seed: UInt64 = 1

  static func speed(_ text: String) throws -> Double {
    guard let value = Double(text), (0.1...1000).contains(value) else {
      throw ValidationError("Use meters per second from 0.1 to 1000.")
    }
    return value
  }

  func validate() throws {
    guard output == nil || output != truth else {
      throw ValidationError("--output and --truth name the same file: use two files.")
    }
  }

  private var conditions: RouteConditions {
    var conditions = RouteConditions()
    conditions.seed = seed
    conditions.noiseMeters = noise
    conditions.multipathMeters = multipath
    conditions.canyons = canyon
    conditions.tunnels = tunnel
    return conditions
  }

  func execute() -> CommandStatus {
    guard language == .nmea || output != nil || !Results.areForPeople else {
      return Diagnostics.report(
        FailureMessage("UBX is binary and cannot be shown on a terminal: write it to a file with --output.", .usage))
    }
    do throws(FailureMessage) {
      let route = try RouteFile(path: file).read(metersPerSecond: speed)
      let simulation = RouteSimulation(route, dialect: language.dialect, rateHertz: rate, conditions: conditions)
      return try write(simulation)
    } catch {
      if error.status == .done { return .done }
      return Diagnostics.report(error)
    }
  }

  private func write(_ simulation: RouteSimulation) throws(FailureMessage) -> CommandStatus {
    var simulation = simulation
    var result = try SimulationOutput(path: output, replacing: force, from: simulation.start)
    var reference: SimulationTruth?
    if let truth { reference = try SimulationTruth(path: truth, replacing: force) }
    while let epoch = simulation.next() {
      try result.append(epoch)
      try reference?.append(epoch)
    }
    try result.finish()
    try reference?.finish()
    return .done
  }
}

extension SimulatedProtocol: ExpressibleByArgument {}

/// A time span on the command line: `FROM-TO` in seconds.
enum TimeSpan {
  static func parse(_ text: String) throws -> Range<Duration> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = Double(parts[0]), let to = Double(parts[1]), from.isFinite, from >= 0, from < to,
      to <= Bounds.watch
    else { throw ValidationError("Use two numbers of seconds from the beginning, such as 60-120.") }
    return .seconds(from)..<(.seconds(to))
  }
}

/// The protocol of a simulated receiver.
enum SimulatedProtocol: String, CaseIterable {
  case nmea, ubx

  /// A dialect of receivers that are currently on sale.
  var dialect: Dialect {
    switch self {
    case .nmea: .nmea411
    case .ubx: .ublox9
    }
  }
}
