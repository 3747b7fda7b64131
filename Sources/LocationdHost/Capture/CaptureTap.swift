package import Geodesy
package import LocationdService
package import Replay

/// Turns what goes between the core and its ports into the records of a capture: each device when its port is opened, its
/// speeds, its bytes with the time at which the core heard them, and its end. Played again they give the same fixes.
package final class CaptureTap: PortTap {
  package let forbidsWriting = false
  package let wantsBytesAlone = true

  private let origin: Instant
  private let sink: (CaptureRecord) -> Void
  /// A device's number in the capture, by its identity: the same when it is plugged in again.
  private var numbers: [String: Int] = [:]
  private var sightings: [LinkID: DeviceSighting] = [:]
  /// Ports that are open, and their devices' numbers.
  private var open: [LinkID: Int] = [:]

  /// - Parameters:
  ///   - origin: arrival zero of the recording.
  ///   - wallClock: the time of then; `nil` where nobody knows it.
  package init(origin: Instant, wallClock: GNSSTime?, _ sink: @escaping (CaptureRecord) -> Void) {
    self.origin = origin
    self.sink = sink
    if let wallClock { sink(CaptureRecord(arrival: .zero, source: 0, event: .start(wallClock))) }
  }

  /// Takes a port that was open before this was there.
  package func begin(_ id: LinkID, _ device: DeviceSighting, baud: Int?, at now: Instant) {
    sightings[id] = device
    opened(id, baud: baud, at: now)
  }

  /// Takes what the core is told.
  package func note(_ input: ServiceCore.Input, at now: Instant) {
    switch input {
    case .opened(let id, let baud): opened(id, baud: baud, at: now)
    case .closed(let id): closed(id, at: now)
    case .deviceVanished(let device, let path):
      for (id, sighting) in sightings where sighting.id == device && sighting.path == path { closed(id, at: now) }
    case .deviceAppeared, .sourceless, .inventoryComplete, .openFailed, .portFreed, .ended,
      .request, .presence, .clientGone, .recalled, .settingsRecalled, .trustChanged, .ownerSet, .wifiChanged,
      .scanned, .remembered, .notices, .wake:
      break
    }
  }

  /// Takes what the core answers.
  package func note(_ action: ServiceCore.Action, at now: Instant) {
    switch action {
    case .open(let id, let device): sightings[id] = device
    // What this side closes has not gone.
    case .close(let id): open[id] = nil
    case .setSpeed(let id, let baud): if let number = open[id] { tell(.speed(baud: baud), of: number, at: now) }
    case .write, .send, .changeTrust, .setOwner, .recall, .keep, .recallSettings, .keepSettings, .leftChanged,
      .listenToWiFi, .learnPlaces, .notice, .remember:
      break
    }
  }

  /// Takes what a receiver has sent.
  package func heard(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) {
    guard let number = open[id], !bytes.isEmpty else { return }
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    for index in bytes.indices { payload.append(bytes[index]) }
    tell(.bytes(payload), of: number, at: now)
  }

  private func opened(_ id: LinkID, baud: Int?, at now: Instant) {
    guard let sighting = sightings[id] else { return }
    let number = numbers[sighting.id] ?? numbers.count + 1
    numbers[sighting.id] = number
    open[id] = number
    tell(.device(CapturedDevice(sighting, baud: baud)), of: number, at: now)
  }

  private func closed(_ id: LinkID, at now: Instant) {
    guard let number = open.removeValue(forKey: id) else { return }
    tell(.gone, of: number, at: now)
  }

  private func tell(_ event: CaptureEvent, of number: Int, at now: Instant) {
    sink(CaptureRecord(arrival: now - origin, source: number, event: event))
  }
}
