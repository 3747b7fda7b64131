package import LocationPolicy

/// What is kept at once: events, and all that led to them.
package struct MonitoringStep: Sendable {
  package var events: [NewEvent] = []
  package var changes: [(list: MonitoringListID, changes: [MonitoringChange])] = []
  /// No bytes: it is forgotten.
  package var progress: [(list: MonitoringListID, key: String, bytes: [UInt8]?)] = []
  package var visits: [(list: MonitoringListID, visit: Visit)] = []
  package var records: [(list: MonitoringListID, identifier: String, record: MonitoringRecord)] = []
  /// Events of a list that were too many to be held until they could be kept.
  package var dropped: [MonitoringListID: Int] = [:]

  package init() {}
}
