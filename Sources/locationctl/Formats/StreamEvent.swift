package import Geodesy
package import LocationIPC
package import TrackFormats

/// A line of a stream that has no position: what changed, and when as far as that is known.
package struct StreamEvent: Hashable, Sendable {
  /// The contract's words.
  package enum Name: String, Hashable, Sendable { case lost, back, paused, resumed, denied }

  package var name: Name
  package var time: GNSSTime?
  /// What a person reads.
  let words: String

  package init(_ change: StreamChange, at time: GNSSTime?) {
    name =
      switch change {
      case .lost: .lost
      case .back: .back
      case .suspended, .paused: .paused
      case .resumed, .unpaused: .resumed
      }
    words =
      switch change {
      case .lost: "fix lost"
      case .back: "fix regained"
      case .suspended: "suspended: no fixes while in the background"
      case .resumed: "resumed: in use again"
      case .paused: "paused in the background: no movement or no fix"
      case .unpaused: "resumed after a pause"
      }
    self.time = time
  }

  /// Whoever was told fixes may know them no more: the last line.
  package static func denied(at time: GNSSTime?) -> StreamEvent {
    StreamEvent(name: .denied, words: "access revoked", time: time)
  }

  private init(name: Name, words: String, time: GNSSTime?) {
    self.name = name
    self.words = words
    self.time = time
  }

  /// `{"event":"lost","timestamp":…}`.
  package var jsonObject: JSONObject {
    var object = JSONObject()
    object.add("event", .text(name.rawValue))
    object.add("timestamp", .text(time.flatMap { Timestamp($0)?.iso8601 }))
    return object
  }
}
