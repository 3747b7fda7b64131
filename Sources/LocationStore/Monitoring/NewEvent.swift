package import LocationPolicy

/// An event that is to be kept until it has been told.
package struct NewEvent: Hashable, Sendable {
  package var list: MonitoringListID
  package var subject: MonitoringSubject
  /// All else, as its writer knows to read it.
  package var body: [UInt8]
  /// By which ways it is to be told.
  package var owed: Set<MonitoringDelivery>

  package init(
    list: MonitoringListID, subject: MonitoringSubject, body: [UInt8], owed: Set<MonitoringDelivery> = [.programs]
  ) {
    self.list = list
    self.subject = subject
    self.body = body
    self.owed = owed
  }
}
