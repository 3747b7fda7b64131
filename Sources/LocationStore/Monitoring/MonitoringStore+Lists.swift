package import LocationDatabase
package import LocationPolicy
import LinuxIO

/// The lists, and the monitoring of each in addition to regions.
extension MonitoringStore {
  /// The number of a list, which is created if `making` is `true`; otherwise `nil` if it does not exist.
  package func id(of list: MonitoringList, making: Bool) throws(MonitoringStoreError) -> MonitoringListID? {
    let length = list.name.utf8.count
    guard length <= MonitoringList.longestName else { throw .name(length: length, most: MonitoringList.longestName) }
    let (found, all, own): (MonitoringListID?, Int64, Int64)
    do throws(DatabaseError) {
      found = try find(list)
      all = try number("SELECT count(*) FROM lists")
      own = try number(
        "SELECT count(*) FROM lists WHERE user_id = ? AND realm = ?", Array(Self.key(list).prefix(2)))
    } catch {
      throw .database(error)
    }
    if let found { return found }
    guard making else { return nil }
    guard all < Self.mostLists else { throw .lists(most: Self.mostLists) }
    guard own < Self.mostListsOfIdentity else {
      throw .listsOfIdentity(list.identity, most: Self.mostListsOfIdentity)
    }
    do throws(DatabaseError) {
      try database.run("INSERT INTO lists (user_id, realm, name) VALUES (?, ?, ?)", Self.key(list))
      return try find(list)
    } catch {
      throw .database(error)
    }
  }

  /// All lists, skipping malformed rows.
  package func lists() throws(DatabaseError) -> [(id: MonitoringListID, list: MonitoringList)] {
    var statement = try database.prepare("SELECT id, user_id, realm, name FROM lists ORDER BY id")
    var lists: [(id: MonitoringListID, list: MonitoringList)] = []
    while try statement.step() {
      guard let user = UInt32(exactly: try statement.integer(1)),
        let realm = ClientIdentity.Realm(parsing: try statement.text(2))
      else { continue }
      let list = MonitoringList(ClientIdentity(userID: user, realm: realm), name: try statement.text(3))
      lists.append((MonitoringListID(try statement.integer(0)), list))
    }
    return lists
  }

  /// Deletes a list and everything stored for it.
  package func remove(_ list: MonitoringListID) throws(DatabaseError) {
    let file = try snapshotPath(of: list)
    try database.run("DELETE FROM lists WHERE id = ?", [list.value])
    if let file { StateFile.remove(file) }
  }

  /// Deletes a list if it monitors nothing and has no undelivered events and no stored visits; returns whether it was deleted.
  ///
  /// - Parameter regions: number of monitored regions, which is known only after loading them.
  package func removeIfEmpty(_ list: MonitoringListID, regions: Int) throws(DatabaseError) -> Bool {
    guard regions == 0 else { return false }
    let file = try snapshotPath(of: list)
    try database.run(Self.removalOfEmptyLists + "AND id = ?", [list.value])
    guard database.changes > 0 else { return false }
    if let file { StateFile.remove(file) }
    return true
  }

  /// Deletes lists that monitor neither visits nor significant changes, and have no undelivered events and no stored
  /// visits. The caller checks that they have no regions.
  static let removalOfEmptyLists = """
    DELETE FROM lists WHERE wants_visits = 0 AND wants_significant = 0
      AND NOT EXISTS (SELECT 1 FROM events WHERE list = lists.id)
      AND NOT EXISTS (SELECT 1 FROM visits WHERE list = lists.id)

    """

  // MARK: Requested uses

  /// Stores whether a list monitors visits, and what to launch for them in addition to informing its programs.
  package func setVisits(
    _ list: MonitoringListID, _ isWanted: Bool, _ launch: MonitoringLaunch = MonitoringLaunch()
  ) throws(DatabaseError) {
    try setRequestedUses(list, "wants_visits", isWanted, .visits, launch)
  }

  /// The same for significant changes.
  package func setSignificant(
    _ list: MonitoringListID, _ isWanted: Bool, _ launch: MonitoringLaunch = MonitoringLaunch()
  ) throws(DatabaseError) {
    try setRequestedUses(list, "wants_significant", isWanted, .significantChanges, launch)
  }

  private func setRequestedUses(
    _ list: MonitoringListID, _ column: String, _ isWanted: Bool, _ subject: MonitoringSubject,
    _ launch: MonitoringLaunch
  ) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        "UPDATE lists SET \(column) = ? WHERE id = ?", [.integer(isWanted ? 1 : 0), list.value])
      guard database.changes > 0 else { throw .noRow(statement: "UPDATE lists") }
      try setLaunch(list, subject, isWanted ? launch : MonitoringLaunch())
    }
  }

  /// The uses that a list requests in addition to regions.
  package func requestedUses(of list: MonitoringListID) throws(DatabaseError) -> (
    visits: Bool, significantChanges: Bool
  ) {
    var statement = try database.prepare("SELECT wants_visits, wants_significant FROM lists WHERE id = ?")
    try statement.bind([list.value])
    guard try statement.step() else { return (false, false) }
    return (try statement.integer(0) != 0, try statement.integer(1) != 0)
  }

  // MARK: Launches

  /// The commands and the notification for an event of that subject; the list's programs are informed as well.
  package func launch(
    _ list: MonitoringListID, _ subject: MonitoringSubject
  ) throws(DatabaseError) -> MonitoringLaunch {
    var statement = try database.prepare(
      "SELECT on_entry, on_exit, on_unknown, is_shown FROM launches WHERE list = ? AND kind = ? AND identifier = ?")
    try statement.bind([list.value, subject.kept.kind, subject.kept.identifier])
    guard try statement.step() else { return MonitoringLaunch() }
    return MonitoringLaunch(
      onEntry: try statement.optionalText(0).flatMap { CommandToken($0) },
      onExit: try statement.optionalText(1).flatMap { CommandToken($0) },
      onUnknown: try statement.optionalText(2).flatMap { CommandToken($0) }, isShown: try statement.integer(3) != 0)
  }

  func setLaunch(
    _ list: MonitoringListID, _ subject: MonitoringSubject, _ launch: MonitoringLaunch
  ) throws(DatabaseError) {
    let key = [list.value, subject.kept.kind, subject.kept.identifier]
    if launch.isEmpty {
      try database.run("DELETE FROM launches WHERE list = ? AND kind = ? AND identifier = ?", key)
    } else {
      try database.run(
        """
        INSERT OR REPLACE INTO launches (list, kind, identifier, on_entry, on_exit, on_unknown, is_shown)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        key + [
          DatabaseValue(launch.onEntry?.text), DatabaseValue(launch.onExit?.text),
          DatabaseValue(launch.onUnknown?.text), .integer(launch.isShown ? 1 : 0),
        ])
    }
  }

  // MARK: Rows

  private func find(_ list: MonitoringList) throws(DatabaseError) -> MonitoringListID? {
    var statement = try database.prepare("SELECT id FROM lists WHERE user_id = ? AND realm = ? AND name = ?")
    try statement.bind(Self.key(list))
    return try statement.step() ? MonitoringListID(try statement.integer(0)) : nil
  }

  private static func key(_ list: MonitoringList) -> [DatabaseValue] {
    [.integer(Int64(list.identity.userID)), .text(list.identity.realm.text), .text(list.name)]
  }

  /// The only column of the only row of a query.
  func number(_ text: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int64 {
    var statement = try database.prepare(text)
    try statement.bind(values)
    guard try statement.step() else { throw .noRow(statement: text) }
    return try statement.integer(0)
  }
}
