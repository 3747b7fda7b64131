import GNSSReceiver
import Geodesy
package import LocationIPC
import LocationPolicy

/// Explains a request's failure by the state of all devices: the most informative cause first.
package struct FailureExplanation {
  private(set) var links: [ReceiverLink]
  /// The failure to report if there is no device.
  private(set) var sourceless: LocationFailure
  var wifi = WiFiAvailability.absent

  init(_ links: [ReceiverLink], sourceless: LocationFailure, wifi: WiFiAvailability = .absent) {
    (self.links, self.sourceless, self.wifi) = (links, sourceless, wifi)
  }

  /// The same for one receiver alone.
  func of(_ device: String) -> FailureExplanation {
    var outlook = self
    outlook.links.removeAll { $0.detectedDevice.path != device }
    outlook.sourceless = .cannotOpen(path: device, reason: .doesNotExist)
    return outlook
  }

  /// Why there is no source at all.
  var noSource: LocationFailure {
    var untrusted: [UntrustedAdapter] = []
    var failure: LocationFailure?
    // Reported only if it applies to every receiver: one that is merely busy may become available later.
    var denial: LocationFailure?
    for link in links {
      let path = link.detectedDevice.recording ?? link.detectedDevice.path
      guard !link.detectedDevice.isLeaving else {
        failure = failure ?? .portInUse(path: path, holder: .likely(service: "gpsd"))
        continue
      }
      guard link.isUsable else {
        // A board's own UART is always present, so it proves nothing about a receiver.
        guard link.detectedDevice.usbVendorID != nil else { continue }
        untrusted.append(UntrustedAdapter(id: link.detectedDevice.id, path: path, name: link.detectedDevice.product))
        continue
      }
      if let hunt = link.receivedNothing {
        failure = failure ?? .nothingReceived(path: path, bytesSeen: hunt.bytes, speeds: hunt.speeds)
        continue
      }
      switch link.port {
      case .failed, .opening:
        if case .permissionDenied(let group)? = link.openProblem {
          denial = denial ?? .permissionDenied(path: path, group: group)
        } else {
          failure = failure ?? link.openProblem.map { Self.failure(of: $0, path: path) }
        }
      case .waiting(let holder): failure = failure ?? .portInUse(path: path, holder: .ownLock(pid: holder))
      case .ended(let problem):
        failure = failure ?? problem.map { .badRecording(path: path, reason: $0) } ?? .sourceEnded(path: path)
      case .closed, .open: break
      }
    }
    if let known = failure ?? denial { return known }
    guard untrusted.isEmpty else { return .untrustedAdapters(untrusted) }
    // Without an access point in range, as on a machine that is connected by cable, Wi-Fi explains nothing.
    if case .blind(let received) = wifi, received > 0, sourceless == .noSource {
      return .noKnownAccessPoint(received: received)
    }
    return sourceless
  }

  /// What the one-shot machine's reason means for these devices.
  func failure(for reason: OneShotFailure) -> LocationFailure {
    let allOpen = links.filter { if case .open = $0.port { true } else { false } }
    // A receiver that sends data explains more than a silent one.
    let open = allOpen.first { $0.receivedNothing == nil } ?? allOpen.first
    guard let named = open ?? links.first(where: \.isUsable) else { return noSource }
    let path = named.detectedDevice.recording ?? named.detectedDevice.path
    switch reason {
    case .noSource: return noSource
    case .sourceEnded:
      // A port that cannot be opened has not ended like a recording.
      if let problem = named.openProblem { return Self.failure(of: problem, path: path) }
      return .sourceEnded(path: path)
    case .noSatellites: return .noSatellites(path: path)
    case .notAccurateEnough(let best): return .notAccurateEnough(path: path, best: best)
    case .noUsableFix(let qualityFlag):
      return .noUsableFix(path: path, qualityFlag: qualityFlag.map { "\($0)" } ?? "too old")
    case .noFix(let satellitesInView):
      guard let open else { return noSource }
      if let hunt = open.receivedNothing {
        return .nothingReceived(path: path, bytesSeen: hunt.bytes, speeds: hunt.speeds)
      }
      if case .open(let receiver) = open.port, !receiver.session.hasReceivedFrame {
        return .nothingReceivedYet(path: path, bytesSeen: receiver.session.bytesReceived)
      }
      return .noFixYet(path: path, satellitesInView: satellitesInView)
    }
  }

  /// What a problem with opening a port means for a client.
  package static func failure(of problem: OpenProblem, path: String) -> LocationFailure {
    switch problem {
    case .lockedByOwn(let pid): .portInUse(path: path, holder: .ownLock(pid: pid))
    case .inUse(let holder): .portInUse(path: path, holder: holder)
    case .permissionDenied(let group): .permissionDenied(path: path, group: group)
    case .cannotOpen(let reason): .cannotOpen(path: path, reason: reason)
    }
  }
}
