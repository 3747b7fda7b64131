import Geodesy
package import LocationIPC
import LocationPolicy

/// Pauses of clients that cannot come to the foreground, which movement ends (Documentation/Behavior.md, "Activity and automatic
/// pause").
extension AccessGate {
  /// Whether a request is not the client's, but looks whether a pause of its updates is over.
  func isCheck(_ request: RequestID, of id: ClientID) -> Bool {
    guard let visitor = visitors[id], visitor.uses[request] == nil else { return false }
    return visitor.uses[LocationUse.check(of: request)]?.hasCheck ?? false
  }

  /// Whether a client's request for locations is under way here.
  package func hasUse(_ request: RequestID, of id: ClientID) -> Bool { visitors[id]?.uses[request] != nil }

  /// The same, or whether it looks, or has just looked, whether a pause of such a request is over.
  package func concerns(_ request: RequestID, of id: ClientID) -> Bool {
    hasUse(request, of: id) || hasUse(LocationUse.check(of: request), of: id)
  }

  /// Whether a pause ends by movement, so that any position is of interest.
  package var awaitsMovement: Bool { visitors.values.contains(where: \.awaitsMovement) }

  /// A position that others have asked for may end pauses.
  mutating func notice(_ fix: PositionFix, _ turn: inout Turn) {
    for id in visitors.keys where visitors[id]?.awaitsMovement == true {
      for request in visitors[id]?.uses.keys.map(\.self) ?? []
      where visitors[id]?.uses[request]?.stage == .paused {
        if visitors[id]?.uses[request]?.see(fix, at: turn.present) == true { turn.unsettled.insert(id) }
      }
    }
  }

  /// What came of a check.
  mutating func takeCheck(_ event: ServiceEvent, of id: ClientID, _ turn: inout Turn) {
    if case .failed = event {
      visitors[id]?.uses[LocationUse.check(of: event.request)]?.loseCheck(at: turn.present)
    } else {
      _ = passing(event, to: id, at: turn.present)
    }
    turn.unsettled.insert(id)
  }

  /// Adds to what is told of a client what of its updates is held back, and takes away what it did not ask for itself.
  package func describe(_ id: ClientID, _ status: inout ClientStatus) {
    guard let visitor = visitors[id] else { return }
    status.identity = visitor.client.identity
    status.level = visitor.authorization.level
    status.presence = visitor.presence
    (status.paused, status.resting, status.undecided) = visitor.heldStreams
    status.streams -= visitor.uses.values.count { $0.hasCheck }
  }
}
