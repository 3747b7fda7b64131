package import Geodesy

/// The facts about one receiver while its port was open, at the end of the examination.
package struct ReceiverFacts: Hashable, Sendable {
  package var device: String
  /// Bytes received, at any baud rate.
  package var bytes = 0
  /// The baud rates that were tried, in order.
  package var speeds: [Int] = []
  /// What the bytes look like if no position was decoded from them.
  package var byteClassification = ByteClassification.nothing
  package var lineErrors: LineErrors?
  /// Whether the port has disappeared, and no data has followed.
  package var hasVanished = false
  /// How often the port disappeared; it may be back.
  package var timesVanished = 0

  // MARK: Frames
  /// Frames with a correct checksum at the current baud rate, and how many of them are RTCM.
  package var validFrames = 0
  package var correctionFrames = 0
  /// Frames with a wrong checksum at the current baud rate.
  package var damagedFrames = 0
  /// Sentences and messages that can carry a position, at any baud rate.
  package var positionMessages = 0
  /// From the first to the last byte at the current baud rate.
  package var timeReceived = Duration.zero
  /// Bytes at the current baud rate.
  package var bytesAtSpeed = 0
  /// Bytes that the receiver sends in a second of its own clock, at the current baud rate; `nil`: the times in its
  /// messages span less than two seconds.
  package var bytesPerReceiverSecond: Double?
  /// For how long the receiver had been silent at the end.
  package var silence = Duration.zero
  /// Which messages were received, at the current baud rate.
  package var output = OutputSignature()
  /// Greetings that the receiver sent because it started, counted only after its first position message.
  package var restarts = 0

  // MARK: Fix
  /// Whether the latest report has a position.
  package var hasFix = false
  package var isFlat = false
  /// Whether the latest fix that the service computed is one of RTK, float or fixed.
  package var hasRTK = false
  package var isSimulated = false
  /// What is wrong with the latest positions; `nil`: nothing, or there are none.
  package var qualityFlag: FixQualityFlag?
  /// The dilution of the horizontal position.
  package var horizontalDilution: Double?
  package var satellitesUsed: Int?
  /// The 68 % radius of the latest fix that the service computed, meters.
  package var radius68Meters: Double?

  // MARK: Sky
  /// Whether the receiver lists satellites at all.
  package var listsSatellites = false
  /// The number of satellites, or signals, observed in the latest lists.
  package var satellitesTracked = 0
  /// The strongest signal in the latest lists, dB-Hz.
  package var strongestSignal: Int?
  package var antenna: AntennaState?
  package var isJammed = false
  package var isSpoofed = false

  // MARK: Time
  /// The last reported date.
  package var reportedDate: CalendarDate?
  /// The latest date that was certainly in the past; `nil`: a recording of unknown date.
  package var dateFloor: CalendarDate?
  /// How far the receiver's confirmed time is ahead of this machine's clock; `nil`: one of them is unknown.
  package var aheadOfClock: Duration?

  package init(device: String) { self.device = device }
}

/// The antenna state that a receiver reports.
package enum AntennaState: Hashable, Sendable {
  case good
  case open
  case short
}

/// The appearance of bytes that contain no valid frame.
package enum ByteClassification: Hashable, Sendable {
  case nothing
  /// Zeros: a line that is held low.
  case zeros
  /// Lines of text other than NMEA.
  case text
  /// Frames of another protocol.
  case other(UnsupportedProtocol)
  case noise
}
