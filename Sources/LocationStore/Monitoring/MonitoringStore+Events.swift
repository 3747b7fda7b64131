import LinuxIO
package import LocationDatabase
import LocationPolicy

/// Events, until they have been delivered.
extension MonitoringStore {
  /// Stores a step in one transaction. Returns the events' numbers, in order; each is greater than all numbers before.
  package func record(_ step: MonitoringStep) throws(DatabaseError) -> [UInt64] {
    var files: [String] = []
    let ids = try database.transaction { () throws(DatabaseError) in
      for (list, changes) in step.changes { if let file = try apply(changes, to: list) { files.append(file) } }
      for (list, key, bytes) in step.progress { try setProgress(list, key, bytes) }
      for (list, visit) in step.visits { try put(visit, of: list) }
      for (list, identifier, record) in step.records { try put(record, of: identifier, list) }
      for (list, count) in step.dropped { try drop(count, of: list) }
      return try put(step.events)
    }
    for file in files { StateFile.remove(file) }
    return ids
  }

  /// The same for the most common parts of a step.
  package func record(
    _ events: [NewEvent], changes: [(list: MonitoringListID, changes: [MonitoringChange])] = [],
    progress: [(list: MonitoringListID, key: String, bytes: [UInt8]?)] = []
  ) throws(DatabaseError) -> [UInt64] {
    var step = MonitoringStep()
    step.events = events
    step.changes = changes
    step.progress = progress
    return try record(step)
  }

  private func put(_ events: [NewEvent]) throws(DatabaseError) -> [UInt64] {
    var ids: [UInt64] = []
    guard !events.isEmpty else { return ids }
    var insert = try database.prepare(
      "INSERT INTO events (list, kind, identifier, body, owed) VALUES (?, ?, ?, ?, ?) RETURNING id")
    for event in events {
      let subject = event.subject.kept
      try insert.bind([
        event.list.value, subject.kind, subject.identifier, .blob(event.body), .integer(event.pendingDeliveries.bits),
      ])
      guard try insert.step() else { throw .noRow(statement: "INSERT INTO events") }
      ids.append(UInt64(try insert.integer(0)))
      _ = try insert.step()
    }
    for list in Set(events.map(\.list)) {
      try database.run("DELETE FROM events WHERE list = ? AND owed = 0", [list.value])
      let surplus = try number("SELECT count(*) FROM events WHERE list = ?", [list.value]) - Int64(Self.mostPending)
      guard surplus > 0 else { continue }
      try database.run(
        "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE list = ? ORDER BY id LIMIT ?)",
        [list.value, .integer(surplus)])
      try drop(Int(surplus), of: list)
    }
    return ids
  }

  private func drop(_ count: Int, of list: MonitoringListID) throws(DatabaseError) {
    try database.run("UPDATE lists SET dropped = dropped + ? WHERE id = ?", [.integer(Int64(count)), list.value])
  }

  /// Undelivered events with numbers greater than `last`, at most `limit`: of one list or of all, for which the given
  /// delivery, or any of those to the user, is outstanding. Skips malformed rows.
  package func pending(
    of list: MonitoringListID? = nil, pendingDeliveries: MonitoringDelivery? = nil, after last: UInt64 = 0, limit: Int
  ) throws(DatabaseError) -> [PendingEvent] {
    var statement = try database.prepare(
      """
      SELECT id, list, kind, identifier, body, owed, attempts_programs, attempts_command, attempts_notification FROM events
      WHERE id > ?1 AND owed & ?2 != 0 \(list == nil ? "" : "AND list = ?4") ORDER BY id LIMIT ?3
      """)
    let pendingDeliveries = pendingDeliveries.map { [$0] } ?? MonitoringDelivery.ofUser
    try statement.bind(
      [.integer(Int64(clamping: last)), .integer(pendingDeliveries.bits), .integer(Int64(limit))]
        + (list.map { [$0.value] } ?? []))
    var events: [PendingEvent] = []
    while try statement.step() {
      guard let id = UInt64(exactly: try statement.integer(0)),
        let subject = MonitoringSubject(keptKind: try statement.integer(2), identifier: try statement.text(3))
      else { continue }
      var attempts: [MonitoringDelivery: Int] = [:]
      for (column, delivery) in zip(6..., [MonitoringDelivery.programs, .command, .notification]) {
        let count = try statement.integer(column)
        if count > 0 { attempts[delivery] = Int(count) }
      }
      events.append(
        PendingEvent(
          id: id,
          event: NewEvent(
            list: MonitoringListID(try statement.integer(1)), subject: subject, body: try statement.blob(4),
            pendingDeliveries: Set(bits: try statement.integer(5))), attempts: attempts))
    }
    return events
  }

  /// Counts a delivery attempt for each event, before the attempt is made. Returns the numbers of attempts, including
  /// this one; `nil` for an event whose delivery is not outstanding.
  package func countAttempts(
    _ ids: [UInt64], _ delivery: MonitoringDelivery
  ) throws(DatabaseError) -> [Int?] {
    try database.transaction { () throws(DatabaseError) in
      guard let column = delivery.column else { return ids.map { _ in nil } }
      var update = try database.prepare(
        "UPDATE events SET \(column) = \(column) + 1 WHERE id = ? AND owed & ? != 0 RETURNING \(column)")
      var counts: [Int?] = []
      for id in ids {
        try update.bind([.integer(Int64(clamping: id)), .integer(delivery.rawValue)])
        if try update.step() {
          counts.append(Int(try update.integer(0)))
          _ = try update.step()
        } else {
          counts.append(nil)
        }
      }
      return counts
    }
  }

  /// The same for one event.
  package func countAttempt(_ id: UInt64, _ delivery: MonitoringDelivery) throws(DatabaseError) -> Int? {
    try countAttempts([id], delivery)[0]
  }

  /// Marks events as delivered in one way; if `list` is given, only events of that list. Events without outstanding
  /// deliveries are deleted.
  package func done(
    _ ids: [UInt64], _ delivery: MonitoringDelivery, of list: MonitoringListID? = nil
  ) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      var update = try database.prepare(
        "UPDATE events SET owed = owed & 15 & ~?1 WHERE id = ?2 AND (?3 IS NULL OR list = ?3)")
      var delete = try database.prepare("DELETE FROM events WHERE id = ? AND owed = 0")
      for id in ids {
        let id = DatabaseValue.integer(Int64(clamping: id))
        try update.run([.integer(delivery.rawValue), id, list?.value ?? .null])
        try delete.run([id])
      }
    }
  }

  /// The same for one event.
  package func done(_ id: UInt64, _ delivery: MonitoringDelivery) throws(DatabaseError) { try done([id], delivery) }

  /// Number of a list's events that were dropped undelivered because there were too many, since the list was created.
  package func dropped(_ list: MonitoringListID) throws(DatabaseError) -> Int {
    var statement = try database.prepare("SELECT dropped FROM lists WHERE id = ?")
    try statement.bind([list.value])
    return try statement.step() ? Int(try statement.integer(0)) : 0
  }
}
