package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdService

/// An order from the service to the monitoring service.
package enum MonitoringOrder: RecordsOrder {
  /// Resume the monitoring that was active when the service ended.
  case begin
  /// `of`: the client's identity.
  case request(MonitoringRequest, RequestID, from: ClientID, of: ClientIdentity, MonitoringAllowance)
  case cancel(RequestID, of: ClientID)
  /// A client has disconnected.
  case left(ClientID)
  /// A new fix.
  case fix(MonitoringFix)
  /// The machine was connected to its charger, so it may have arrived home.
  case hint
  /// The uses of a list for which access is currently allowed.
  case allowed(MonitoringListID, MonitoringUses)
  /// An event is about to be delivered in this way: count the attempt first.
  case delivering(event: UInt64, MonitoringDelivery)
  /// The event needs no further delivery in this way: it was delivered, the delivery failed for good, or the user has no
  /// authorization for it any more.
  case delivered(event: UInt64, MonitoringDelivery)
  /// Whether there are destinations of positions, which have to get the events.
  case destinations(Bool)
  /// The launcher has room for more events of that user.
  case room(userID: UInt32)
  /// Write everything to disk and end.
  case end

  package var isEnd: Bool { if case .end = self { true } else { false } }
  package var isQueuedFix: Bool { if case .fix = self { true } else { false } }
}
