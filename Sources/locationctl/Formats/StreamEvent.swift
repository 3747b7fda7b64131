package import Geodesy
package import LocationIPC
package import TrackFormats

/// A line of a stream that has no position: what changed, and when as far as that is known.
package struct StreamEvent: Hashable, Sendable {
  /// The contract's words.
  package enum Name: String, Hashable, Sendable { case lost, back, paused, resumed, denied }

  package var name: Name
  package var time: GNSSTime?

  package init(_ change: StreamChange, at time: GNSSTime?) {
    name =
      switch change {
      case .lost: .lost
      case .back: .back
      case .suspended: .paused
      case .resumed: .resumed
      }
    self.time = time
  }

  /// Whoever was told fixes may know them no more: the last line.
  package static func denied(at time: GNSSTime?) -> StreamEvent { StreamEvent(name: .denied, time: time) }

  private init(name: Name, time: GNSSTime?) {
    self.name = name
    self.time = time
  }

  /// As a person reads it.
  var words: String {
    switch name {
    case .lost: "no fix any more"
    case .back: "fixes again"
    case .paused: "no fixes in the background"
    case .resumed: "fixes again, in use"
    case .denied: "not allowed any more"
    }
  }

  /// `{"event":"lost","timestamp":…}`.
  package var jsonObject: JSONObject {
    var object = JSONObject()
    object.add("event", .text(name.rawValue))
    object.add("timestamp", .text(time.flatMap { Timestamp($0)?.iso8601 }))
    return object
  }
}
