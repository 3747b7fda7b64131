package import GNSSReceiver
import Geodesy
import LocationPolicy
package import WireFormats

/// What a receiver reports about time.
package enum TimingReport: Hashable, Sendable {
  /// A complete epoch.
  case epoch(GNSSEpoch)
  case leapSeconds(NavTIMELS)
  case nextPulse(TimTP)
}

/// The receivers while the machine's clocks get their time.
extension ServiceCore {
  mutating func setTiming(_ isTiming: Bool, at now: Instant, _ actions: inout [Action]) {
    self.isTiming = isTiming
    openWanted(at: now, &actions)
  }

  /// Whether the port of a link is needed: for requests, or for its time.
  func isWanted(_ index: Int) -> Bool {
    // By index: this runs after every epoch, and a link is large.
    guard links[index].isUsable else { return false }
    return isBusy && planner.plan.satellites != .off || isTiming && links[index].givesTime
  }

  func report(_ report: TimingReport, of index: Int, _ actions: inout [Action]) {
    guard isTiming, links[index].givesTime else { return }
    actions.append(.timed(links[index].id, report))
  }
}

extension ReceiverLink {
  /// Whether clocks may get its time: not from gpsd, which sends it itself, not from networks, which delay it, and not from recordings
  /// and simulators.
  var givesTime: Bool {
    detectedDevice.gpsd == nil && detectedDevice.network == nil && !detectedDevice.isSimulated
      && detectedDevice.recording == nil
  }
}
