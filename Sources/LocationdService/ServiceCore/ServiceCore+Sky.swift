import GNSSReceiver
import Geodesy
import LocationIPC

/// Satellite data of the receivers, for the clients that watch it.
extension ServiceCore {
  /// Handles a complete epoch of a receiver. The satellites that it lists are kept for epochs that list none.
  mutating func sendSky(_ epoch: GNSSEpoch, of index: Int, at now: Instant, _ actions: inout [Action]) {
    if let satellites = epoch.satellites { links[index].skyList = SkyList(satellites, receivedAt: now) }
    guard works.contains(where: \.watchesSky) else { return }
    let report = Self.skyReport(epoch, of: links[index], at: now)
    // No request ends by this, and the rest of the epoch follows: the sources are not planned for it.
    for work in works.indices {
      let outcomes = works[work].receive(report)
      if !outcomes.isEmpty { sendResults(outcomes, of: work, &actions) }
    }
  }

  /// Static: a method would get a copy of the whole core.
  private static func skyReport(_ epoch: GNSSEpoch, of link: ReceiverLink, at now: Instant) -> SkyReport {
    var report = SkyReport(device: link.detectedDevice.path)
    report.time = epoch.time
    report.timeValidity = epoch.timeValidity
    report.receiver = epoch.receiver
    report.fix = epoch.fix?.kind
    report.hdop = epoch.sky.hdop
    report.vdop = epoch.sky.vdop
    report.pdop = epoch.sky.pdop
    report.satellitesUsed = epoch.sky.used
    report.isSimulated = epoch.isSimulated
    if let list = link.skyList, now - list.receivedAt <= SkyList.lifetime {
      report.satellites = list.satellites
      report.listAge = now - list.receivedAt
      // GGA counts to twelve, however many are used; an earlier list does not say which are used now.
      let used = list.receivedAt == now || report.satellitesUsed == nil ? list.used : nil
      report.satellitesUsed = [report.satellitesUsed, used].compactMap(\.self).max()
      // If the list is shorter than the receiver's count, the list's own count is reported, or its length if it has none.
      if let count = report.satellitesUsed, count > list.satellites.count {
        report.satellitesUsed = list.used.flatMap { $0 > 0 ? $0 : nil } ?? list.satellites.count
      }
    }
    return report
  }
}
