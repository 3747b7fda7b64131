import GNSSReceiver
import Geodesy
import LocationIPC

/// What the receivers say of their satellites, for those who watch them.
extension ServiceCore {
  /// A complete epoch of a receiver: the satellites that it lists are kept, for epochs in which it lists none.
  mutating func tellSky(_ epoch: GNSSEpoch, of index: Int, at now: Instant, _ actions: inout [Action]) {
    if let satellites = epoch.satellites { links[index].skyList = SkyList(satellites, heardAt: now) }
    guard works.contains(where: \.watchesSky) else { return }
    let report = skyReport(epoch, of: links[index], at: now)
    forEachWork(at: now, &actions) { $0.take(report) }
  }

  private func skyReport(_ epoch: GNSSEpoch, of link: ReceiverLink, at now: Instant) -> SkyReport {
    var report = SkyReport(device: link.sighting.path)
    report.time = epoch.time
    report.timeValidity = epoch.timeValidity
    report.receiver = epoch.receiver
    report.fix = epoch.fix?.kind
    report.hdop = epoch.sky.hdop
    report.vdop = epoch.sky.vdop
    report.pdop = epoch.sky.pdop
    report.satellitesUsed = epoch.sky.used
    report.isSimulated = epoch.isSimulated
    if let list = link.skyList, now - list.heardAt <= SkyList.lifetime {
      report.satellites = list.satellites
      report.listAge = now - list.heardAt
      // GGA counts to twelve, however many are used; a list of before says nothing of who is used now.
      let used = list.heardAt == now || report.satellitesUsed == nil ? list.used : nil
      report.satellitesUsed = [report.satellitesUsed, used].compactMap(\.self).max()
      // Beside a list that is shorter than the receiver's count, the list's own count stands.
      if let count = report.satellitesUsed, count > list.satellites.count {
        report.satellitesUsed = list.used.flatMap { $0 > 0 ? $0 : nil } ?? list.satellites.count
      }
    }
    return report
  }
}
