package import Geodesy

/// What was heard of one receiver while it was listened to, as it stood at the end.
package struct ReceiverFacts: Hashable, Sendable {
  package var device: String
  /// Bytes that came, at any speed.
  package var bytes = 0
  /// Speeds that were listened at, in their order.
  package var speeds: [Int] = []
  /// What the bytes look like where no frame was understood.
  package var bytesLook = BytesLook.nothing
  package var lineErrors: LineErrors?
  /// Whether the port went away.
  package var hasVanished = false
  /// How often it did; it may be back.
  package var timesVanished = 0

  // MARK: Frames
  /// Frames with a right checksum, and of those RTCM.
  package var validFrames = 0
  package var correctionFrames = 0
  /// Frames with a wrong one.
  package var damagedFrames = 0
  /// Sentences and messages that can tell a position.
  package var positionMessages = 0
  /// From the first to the last byte at the present speed.
  package var timeHeard = Duration.zero
  /// Bytes at the present speed.
  package var bytesAtSpeed = 0
  /// How long it had been silent at the end.
  package var silence = Duration.zero
  /// Greetings that a receiver says when it starts, after the first words.
  package var restarts = 0

  // MARK: Fix
  /// Whether the latest that it said is a position.
  package var hasFix = false
  package var isFlat = false
  package var isSimulated = false
  /// What is wrong with its latest positions.
  package var suspicion: Suspicion?
  /// Of the horizontal position.
  package var horizontalDilution: Double?
  package var satellitesUsed: Int?

  // MARK: Sky
  /// Whether it lists satellites at all.
  package var listsSatellites = false
  /// Satellites that it heard in the latest list.
  package var satellitesHeard = 0
  /// The strongest of the latest list, dB-Hz.
  package var strongestSignal: Int?
  package var antenna: AntennaState?
  package var isJammed = false
  package var isSpoofed = false

  // MARK: Time
  /// The date that it told last.
  package var toldDate: CalendarDate?
  /// The latest day that was certain to be past; `nil`: a recording of nobody knows when.
  package var dateFloor: CalendarDate?
  /// How far its confirmed time is ahead of this machine's clock; `nil`: not both are known.
  package var aheadOfClock: Duration?

  package init(device: String) { self.device = device }
}

/// What a receiver says of its antenna.
package enum AntennaState: Hashable, Sendable {
  case good
  case open
  case short
}

/// What bytes look like that hold no frame.
package enum BytesLook: Hashable, Sendable {
  case nothing
  /// Zeros: a line that is held low.
  case zeros
  /// Lines of text that are no NMEA.
  case text
  /// Frames of another protocol.
  case other(ForeignProtocol)
  case noise
}
