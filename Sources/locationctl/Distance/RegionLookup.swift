import LocationIPC
import LocationPolicy
import Regions

/// Finds regions of this user by their names, page by page.
final class RegionLookup {
  private let session: CommandSession
  private let names: Set<String>
  private var found: [String: Region] = [:]

  private init(_ session: CommandSession, _ names: Set<String>) { (self.session, self.names) = (session, names) }

  /// The regions with these names; if one does not exist, prints a message and throws the exit status.
  ///
  /// - Parameter marked: the names that were given as `region:NAME`, and are therefore not mistyped positions.
  static func find(_ names: Set<String>, marked: Set<String>) throws(CommandStatus) -> [String: Region] {
    guard let first = names.sorted().first else { return [:] }
    let name = TerminalText.sanitized(first)
    var found: [String: Region] = [:]
    let absence = FailureMessage(
      marked.contains(first)
        ? "The region '\(name)' cannot be found, because locationd, which stores the regions, is not running: start locationd, or use a position."
        : "'\(name)' is not a position, and locationd, which stores the regions, is not running: \(PlaceArgument.examples), or "
          + "start locationd.", .noSource)
    let status = CommandSession.withDaemon(orFail: absence) { session in
      let lookup = RegionLookup(session, names)
      let status = session.perform(
        .send(.monitoringLists) { lists in
          // The regions of locationctl's own list come first, because other lists may use the same names.
          let lists = lists.filter { $0.regions > 0 }
          let own = lists.filter { $0.name == RegionCommand.list }
          return lookup.read((own + lists.filter { $0.name != RegionCommand.list })[...])
        })
      found = lookup.found
      return status
    }
    guard status == .done else { throw status }
    if let missing = names.sorted().first(where: { found[$0] == nil }) {
      let name = TerminalText.sanitized(missing)
      guard !marked.contains(missing) else {
        throw Diagnostics.report(
          FailureMessage("There is no region '\(name)': see 'locationctl region list'.", .usage))
      }
      throw Diagnostics.report(
        FailureMessage(
          "'\(name)' is neither a position nor a region: \(PlaceArgument.examples), or a name from "
            + "'locationctl region list'.", .usage))
    }
    return found
  }

  private func read(_ lists: ArraySlice<MonitoringListReport>, from index: UInt32 = 0) -> RequestStep {
    guard let name = lists.first?.name, found.count < names.count else { return .end(.done) }
    return .send(.regions(of: name, from: index)) { [unowned self] page in
      for monitored in page.regions where names.contains(monitored.region.identifier) {
        if found[monitored.region.identifier] == nil { found[monitored.region.identifier] = monitored.region }
      }
      guard let next = page.next else { return read(lists.dropFirst()) }
      return read(lists, from: next)
    }
  }
}
