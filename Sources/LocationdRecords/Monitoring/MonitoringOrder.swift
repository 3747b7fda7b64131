package import LocationIPC
package import LocationPolicy
package import LocationStore
package import LocationdService

/// What the service tells the keeper of what is monitored.
package enum MonitoringOrder: Sendable {
  /// Go on with what was monitored when the service ended.
  case begin
  /// `of`: whose client it is.
  case request(MonitoringRequest, RequestID, from: ClientID, of: ClientIdentity, MonitoringAllowance)
  case cancel(RequestID, of: ClientID)
  /// A client has gone.
  case left(ClientID)
  /// Where the machine is.
  case fix(NoticedFix)
  /// The machine was put on its charger: it may have come home.
  case hint
  /// What of a list may be told now.
  case allowed(MonitoringListID, MonitoringUses)
  /// An event is about to be told in that way: it is to be counted first.
  case telling(event: UInt64, MonitoringDelivery)
  /// It was told in that way.
  case told(event: UInt64, MonitoringDelivery)
  /// There is room for more launches of that user.
  case room(userID: UInt32)
  /// Bring everything to the disk, and end.
  case end
}
