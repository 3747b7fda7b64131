import GNSSReceiver
package import Geodesy
import LocationIPC

/// Which receivers get corrections.
extension ServiceCore {
  /// An open receiver that can use corrections.
  package struct CorrectedLink: Hashable, Sendable {
    package let id: LinkID
    /// The baud rate of its line; `nil`: it has none.
    package let baud: Int?
  }

  /// Whether corrections are configured, and the receivers that the user has named for them.
  package struct CorrectionUse: Hashable, Sendable {
    /// By name, ID or path.
    package var named: [String]

    package init(named: [String] = []) { self.named = named }
  }

  /// The receivers that are open and can use corrections: those that have identified themselves as such, and those that the user has
  /// named. One that gpsd owns is never written to.
  package var correctedLinks: [CorrectedLink] {
    guard let use = corrections else { return [] }
    var corrected: [CorrectedLink] = []
    // By index, because this runs after every epoch: iterating would copy each link.
    for index in links.indices {
      guard case .open(let receiver) = links[index].port, links[index].releaseEnd == nil, mayBeCorrected(index, use)
      else { continue }
      let baud = links[index].detectedDevice.hasLineSpeed ? receiver.session.speed : nil
      corrected.append(CorrectedLink(id: links[index].id, baud: baud))
    }
    return corrected
  }

  private func mayBeCorrected(_ index: Int, _ use: CorrectionUse) -> Bool {
    let device = links[index].detectedDevice
    guard device.mayPoll, device.gpsd == nil, device.recording == nil else { return false }
    if links[index].identity.takesCorrections { return true }
    return use.named.contains { device.name == $0 || device.matches(selector: $0) }
  }

  /// The latest credible fix of this run.
  package var latestFix: PositionFix? { latest?.fix }
}
