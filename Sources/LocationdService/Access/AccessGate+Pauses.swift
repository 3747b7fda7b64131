import Geodesy
package import LocationIPC
package import LocationPolicy

/// Pauses of clients that cannot come to the foreground; movement ends such a pause (Documentation/Behavior.md, "Activity and
/// automatic pause").
extension AccessGate {
  /// Whether `request` is not the client's own, but the check for the end of a pause of its updates.
  func isCheck(_ request: RequestID, of id: ClientID) -> Bool {
    guard let gatedClient = gatedClients[id], gatedClient.uses[request] == nil else { return false }
    return gatedClient.uses[LocationUse.check(of: request)]?.hasCheck ?? false
  }

  /// Whether a client's request for locations is active in the gate.
  package func hasUse(_ request: RequestID, of id: ClientID) -> Bool { gatedClients[id]?.uses[request] != nil }

  /// Whether `request` is an active request of the client, or the check for the end of a pause of one, which may have just ended.
  package func concerns(_ request: RequestID, of id: ClientID) -> Bool {
    hasUse(request, of: id) || hasUse(LocationUse.check(of: request), of: id)
  }

  /// Whether movement may end a pause, so that every position is of interest.
  package var awaitsMovement: Bool { gatedClients.values.contains(where: \.awaitsMovement) }

  /// Positions that other clients requested may end pauses.
  mutating func receiveMonitoringFix(_ fix: PositionFix, _ turn: inout Turn) {
    for id in gatedClients.keys where gatedClients[id]?.awaitsMovement == true {
      for request in gatedClients[id]?.uses.keys.map(\.self) ?? []
      where gatedClients[id]?.uses[request]?.stage == .paused {
        if gatedClients[id]?.uses[request]?.receive(fix, at: turn.present) == true { turn.unsettled.insert(id) }
      }
    }
  }

  /// Handles the result of a check.
  mutating func takeCheck(_ event: ServiceEvent, of id: ClientID, _ turn: inout Turn) {
    if case .failed = event {
      gatedClients[id]?.uses[LocationUse.check(of: event.request)]?.loseCheck(at: turn.present)
    } else {
      _ = passing(event, to: id, at: turn.present)
    }
    turn.unsettled.insert(id)
  }

  /// Adds to a client's status its identity, its access and how many of its updates are held back, and removes the checks, which
  /// the client did not request itself.
  package func describe(_ id: ClientID, _ status: inout ClientStatus) {
    guard let gatedClient = gatedClients[id] else { return }
    status.identity = gatedClient.client.identity
    status.level = gatedClient.authorization.level
    status.presence = gatedClient.presence
    (status.paused, status.resting, status.undecided) = gatedClient.heldStreams
    status.streams -= gatedClient.uses.values.count { $0.hasCheck }
  }
}
