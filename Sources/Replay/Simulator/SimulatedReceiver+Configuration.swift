package import Geodesy

extension SimulatedReceiver {
  /// Everything that a simulated receiver is made of; two equal ones say the same bytes at the same times.
  package struct Configuration: Hashable, Sendable {
    /// What it talks.
    package var dialect = Dialect.nmea411
    /// Sentences that the dialect's usual set does not have, each once an epoch; ignored by a dialect without NMEA.
    package var extraSentences: Set<SentenceKind> = []
    /// Whether a u-blox is as it comes out of the box: it says NMEA alone until it is told otherwise.
    package var isFactorySet = false
    /// Whether a u-blox of generation 9 takes the older messages, too; generation 10 does not.
    package var hasSettingMessages = true
    /// Its own port that the line ends at, as its settings count them: 1 UART1, 3 USB.
    package var port: UInt8 = 1
    /// Epochs a second, 1…25.
    package var rateHertz = 1
    /// The speed of its line in bits per second.
    package var baud = 9600
    /// Whether an epoch's bytes leave at once (USB) or no faster than `baud` lets them, `chunkBytes` at a time (UART).
    package var pacing = Pacing.atOnce
    /// From an epoch to its first byte.
    package var latency = Duration.milliseconds(80)

    /// Where it is when.
    package var trajectory = Trajectory.stationary(
      at: SimulatedPosition(latitude: 47.285, longitude: 8.565, height: 455))
    /// Height of the geoid above the ellipsoid.
    package var geoidSeparation = Meters(47.5)
    /// The true UTC time of power-on.
    package var startTime = GNSSTime(nanosecondsSince1970: 1_785_585_600_000_000_000)
    /// GPS time minus UTC in seconds.
    package var leapSeconds = 18
    /// What it knows how long after power-on.
    package var coldStart = ColdStart.hot
    /// What goes wrong.
    package var faults: [Fault] = []
    /// What its measurements are off by.
    package var noise = Noise()

    /// Whether its output says that it is a simulation: NMEA quality 8 and mode S, an extension of MON-VER.
    package var announcesSimulation = true
    /// The serial number that SEC-UNIQID tells.
    package var uniqueID: [UInt8] = [0x5C, 0x0F, 0xFE, 0xE0, 0x01]

    /// A stationary receiver that knows all from the start.
    package init() {}
  }

  /// How bytes leave the receiver.
  package enum Pacing: Hashable, Sendable {
    /// An epoch in one piece.
    case atOnce
    /// Pieces of that many bytes, each when its last bit would be through: ten bits a byte.
    case dribbled(chunkBytes: Int)
  }
}
