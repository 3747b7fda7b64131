import ArgumentParser
import Geodesy
import Replay

/// `locationctl simulate`: what a receiver would say that is carried along a track.
struct SimulateCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Say what a receiver would say along a GPX track.",
    discussion: """
      As fast as it goes, for 'locationctl replay' and 'locationctl evaluate': NMEA or UBX, or a capture where the output's \
      name ends in .capture. Between two points the receiver moves at an even pace; where two segments are more than 10 s \
      apart, or two points more than an hour, it is switched off. Points without a time are left out where others have one. Its errors last, as real ones do: with a \
      time constant of 35 s under an open sky and of 10 s where signals are reflected. The same seed gives the same bytes. It \
      says that it is a simulation.
      """)

  @Argument(help: ArgumentHelp("The track, GPX of any make.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("Where to write it; the default is standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Where to write the truth, as CSV with t, lat and lon.", valueName: "file"))
  var truth: String?

  @Flag(help: "Replace files that exist.")
  var force = false

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("What the receiver speaks: nmea or ubx.", valueName: "protocol"))
  var language = SimulatedLanguage.nmea

  @Option(
    help: ArgumentHelp("Epochs a second.", valueName: "hertz"), transform: { try Bounds.rate($0) })
  var rate: Int = 1

  @Option(
    help: ArgumentHelp("The pace of a track without times, metres per second.", valueName: "speed"),
    transform: { try SimulateCommand.speed($0) })
  var speed: Double?

  @Option(
    help: ArgumentHelp(
      "How far off north and east are under an open sky: their standard deviation.", valueName: "metres"),
    transform: { try Bounds.notNegative($0, upTo: 10_000, unit: "metres") })
  var noise: Double = RouteConditions().noiseMeters

  @Option(
    help: ArgumentHelp("What reflections add to that everywhere: their standard deviation.", valueName: "metres"),
    transform: { try Bounds.notNegative($0, upTo: 10_000, unit: "metres") })
  var multipath: Double = 0

  @Option(
    help: ArgumentHelp(
      "Between high houses, in seconds from the beginning: reflections of 6 m or more, and only the high satellites; several "
        + "may be given.", valueName: "from-to"), transform: { try TimeSpan.parse($0) })
  var canyon: [Range<Duration>] = []

  @Option(
    help: ArgumentHelp(
      "No satellites, in seconds from the beginning; several may be given.", valueName: "from-to"),
    transform: { try TimeSpan.parse($0) })
  var tunnel: [Range<Duration>] = []

  @Option(help: ArgumentHelp("Which of all possible errors.", valueName: "number"))
  var seed: UInt64 = 1

  static func speed(_ text: String) throws -> Double {
    guard let value = Double(text), (0.1...1000).contains(value) else {
      throw ValidationError("Give metres per second from 0.1 to 1000.")
    }
    return value
  }

  func validate() throws {
    guard output == nil || output != truth else { throw ValidationError("Give --output and --truth two files.") }
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
      return Diagnostics.end(FailureSentence("UBX is nothing for a terminal: name a file with --output.", .usage))
    }
    do throws(FailureSentence) {
      let route = try RouteFile(path: file).read(metersPerSecond: speed)
      let simulation = RouteSimulation(route, dialect: language.dialect, rateHertz: rate, conditions: conditions)
      return try write(simulation)
    } catch {
      if error.status == .done { return .done }
      return Diagnostics.end(error)
    }
  }

  private func write(_ simulation: RouteSimulation) throws(FailureSentence) -> CommandStatus {
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

extension SimulatedLanguage: ExpressibleByArgument {}
