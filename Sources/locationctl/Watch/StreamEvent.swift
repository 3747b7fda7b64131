package import Geodesy
package import LocationIPC
package import TrackFormats

/// A line of a stream without a position: what has changed, and the time if it is known.
package struct StreamEvent: Hashable, Sendable {
  /// The event names of the command line contract.
  package enum Name: String, Hashable, Sendable { case lost, back, paused, resumed, denied }

  /// Why the position is lost.
  package enum Reason: String, Hashable, Sendable {
    /// There is no receiver any more: it was unplugged, its power has failed, or gpsd has released it.
    case disconnected
    /// The receiver has no fix.
    case noFix

    /// The last progress that the service reported before the loss states the reason; `nil`: it is not known.
    package init?(_ progress: LocationProgress?) {
      switch progress {
      case .waitingForSource?: self = .disconnected
      case .searching?: self = .noFix
      case .waitingForPort?, .listening?, .converging?, nil: return nil
      }
    }
  }

  package var name: Name
  package var time: GNSSTime?
  /// Only for `lost`; `nil`: not known.
  package var reason: Reason?
  /// The text for people.
  let text: String

  /// How the event affects the person who watches.
  var role: TextRole {
    switch name {
    case .lost, .denied: .bad
    case .paused: .warning
    case .back, .resumed: .good
    }
  }

  /// - Parameter progress: the last progress that the service reported for this stream.
  package init(_ change: StreamChange, at time: GNSSTime?, after progress: LocationProgress? = nil) {
    let reason = change == .lost ? Reason(progress) : nil
    self.reason = reason
    name =
      switch change {
      case .lost: .lost
      case .back: .back
      case .suspended, .paused: .paused
      case .resumed, .unpaused: .resumed
      }
    text =
      switch change {
      case .lost where reason == .disconnected: "fix lost: the receiver was disconnected"
      case .lost: "fix lost"
      case .back: "fix regained"
      case .suspended: "suspended: no fixes while in the background"
      case .resumed: "resumed: in use again"
      case .paused: "paused in the background: no movement or no fix"
      case .unpaused: "resumed after a pause"
      }
    self.time = time
  }

  /// The client's access was revoked; this is the last line of the stream.
  package static func denied(at time: GNSSTime?) -> StreamEvent {
    StreamEvent(name: .denied, text: "access revoked", time: time)
  }

  private init(name: Name, text: String, time: GNSSTime?) {
    self.name = name
    self.text = text
    self.time = time
  }

  /// `{"event":"lost","timestamp":…,"reason":"disconnected"}`.
  package var jsonObject: JSONObject {
    var object = JSONObject()
    object.add("event", .text(name.rawValue))
    object.add("timestamp", .text(time.flatMap { Timestamp($0)?.iso8601 }))
    object.add("reason", .text(reason?.rawValue))
    return object
  }
}
