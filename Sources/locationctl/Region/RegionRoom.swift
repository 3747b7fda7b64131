import LocationIPC
import Regions

/// Checks, before the first region is sent, that there is space for all regions of a file.
enum RegionQuota {
  /// The size of a file's regions.
  struct Need {
    var count = 0
    /// The size in bytes, as the daemon computes it.
    var bytes = 0

    mutating func add(_ region: Region) {
      count += 1
      bytes += region.bytes
    }

    /// Subtracts a stored region that a region of the file replaces, because its space becomes free.
    mutating func replace(_ region: Region) {
      count -= 1
      bytes -= region.bytes
    }
  }

  /// The exit status of the import if there is not enough space for all regions; otherwise `nil`.
  ///
  /// - Parameter next: the regions of the file in batches, from its beginning. Called only if some of them may replace
  ///   stored regions with the same names, which need no additional space.
  static func check(
    _ need: Need, of path: String, purpose: String?, _ next: () throws(FailureMessage) -> [Region]?
  ) -> CommandStatus? {
    var room: MonitoringQuota?
    let asked = MonitoringSession.request(.monitoringRoom, purpose: purpose) { reply in
      room = reply
      return .done
    }
    guard asked == .done, let room else { return asked }
    guard !room.holds(need) else { return nil }
    guard room.regions > 0 else { return Diagnostics.report(FailureMessage(room, need, path)) }
    var names: Set<String> = []
    do throws(FailureMessage) {
      while let regions = try next() { names.formUnion(regions.map(\.identifier)) }
    } catch {
      return Diagnostics.report(error)
    }
    var new = need
    func read(from index: UInt32) -> RequestStep {
      .send(.regions(of: RegionCommand.list, from: index)) { page in
        for known in page.regions where names.contains(known.region.identifier) { new.replace(known.region) }
        return page.next.map(read(from:)) ?? .end(.done)
      }
    }
    let status = MonitoringSession.open(purpose: purpose) { $0.perform(read(from: 0), endsWithOutput: false) }
    guard status == .done else { return status }
    return room.holds(new) ? nil : Diagnostics.report(FailureMessage(room, need, path))
  }
}

extension MonitoringQuota {
  fileprivate func holds(_ need: RegionQuota.Need) -> Bool {
    regions + need.count <= mostRegions && bytes + need.bytes <= mostBytes
  }
}
