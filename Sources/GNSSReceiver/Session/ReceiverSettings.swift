package import Geodesy

/// What the owner of a link knows of the receiver before it has said a word.
package struct ReceiverSettings: Hashable, Sendable {
  /// Path of its device, as fixes name it.
  package var device: String
  /// What the hardware around it says of its identity; its own word goes before that.
  package var identity: String?
  /// The speed that it was last heard at.
  package var lastGoodSpeed: Int?
  /// Whether it may be written to at all: polls, and what a service that owns it sets.
  package var mayPoll = true
  /// How a service that owns it would have it; `nil`: it belongs to none, and is left as it is.
  package var wish: ReceiverWish?
  /// Whether its USB identity says u-blox, so that polls are understood.
  package var isUblox = false
  /// Whether its bytes come from a replay or a simulator.
  package var isSimulated = false
  /// Whether it has a line speed that can be wrong; a replay has not.
  package var hasLineSpeed = true
  /// The latest day that is certain to be past, see `EraResolver`.
  package var eraFloor: CalendarDate?
  /// The machine's clock at `wallClockReadAt`, for streams that tell no date; `nil`: it cannot be trusted.
  package var wallClock: GNSSTime?
  /// Whether the first epochs wait for the date that follows them: a recording's time is not that of the machine's clock.
  package var waitsForDate = false
  /// When `wallClock` was read.
  package var wallClockReadAt = Instant(nanoseconds: 0)

  /// Settings for the device at `device`.
  package init(device: String) { self.device = device }
}
