import LinuxIO
package import LocationDatabase
package import LocationPolicy

/// The stored authorization of a state folder.
package enum StoredGrants: Hashable, Sendable {
  /// No decision has been stored yet.
  case none
  case whole([Grant], isOn: Bool, ReducedPositionState?)
  /// The decisions from a file that can be read, but cannot be written because of this error.
  case readOnly([Grant], isOn: Bool, ReducedPositionState?, DatabaseError)
  /// The file was damaged and was renamed to this name.
  case damaged(setAside: String, SalvagedGrants)

  /// The readable part of a damaged file. Of its grants only those are used that deny or restrict access.
  package struct SalvagedGrants: Hashable, Sendable {
    /// `nil`: the switch cannot be read.
    package var isOn: Bool?
    package var refusals: [Grant] = []

    package init(isOn: Bool? = nil, refusals: [Grant] = []) {
      self.isOn = isOn
      self.refusals = refusals
    }
  }

  /// Loads the grants. A damaged file is renamed, and is reported as damaged until a new decision is stored, even if
  /// the system reboots in between.
  package static func load(stateFolder: String) throws(DatabaseError) -> StoredGrants {
    let path = GrantStore.path(in: stateFolder)
    switch try entry(path) {
    case .nothing: return try leftovers(of: path)
    // SQLite accepts an empty file as a new database, but this program never leaves one.
    case .file(size: 0): return .damaged(setAside: try Database.setAside(path), SalvagedGrants())
    case .file: break
    case .other: throw .system(SystemError(operation: "open", errno: SystemError.notAFile))
    }
    do throws(DatabaseError) {
      let store = try GrantStore(whole: path)
      return .whole(try store.grants(), isOn: try store.isOn(), try store.reducedPlace())
    } catch {
      if error.mayBeReadable, let store = try? GrantStore(reading: path) {
        return .readOnly(try store.grants(), isOn: try store.isOn(), try store.reducedPlace(), error)
      }
      guard error.isDamage else { throw error }
      let remains = remains(of: path)
      return .damaged(setAside: try Database.setAside(path), remains)
    }
  }

  private static func entry(_ path: String) throws(DatabaseError) -> PrivateFolder.Entry {
    do throws(SystemError) {
      return try PrivateFolder.entry(path)
    } catch {
      throw .system(error)
    }
  }

  private static func leftovers(of path: String) throws(DatabaseError) -> StoredGrants {
    do throws(DatabaseError) {
      return try Database.lastSetAside(path).map { .damaged(setAside: $0, remains(of: $0)) } ?? .none
    } catch {
      // The folder does not exist yet.
      guard case .system(let reason) = error, reason.isAbsence else { throw error }
      return .none
    }
  }

  private static func remains(of path: String) -> SalvagedGrants {
    var remains = SalvagedGrants()
    guard let store = try? GrantStore(damaged: path) else { return remains }
    remains.isOn = try? store.isOn()
    // Reads the rows before the damage.
    try? store.forEachGrant { grant in
      if grant.record.level == .restricted || grant.record.level == .denied { remains.refusals.append(grant) }
    }
    return remains
  }
}
