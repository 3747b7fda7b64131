package import Geodesy
package import LocationReplay
package import LocationdService

/// Converts the traffic between the core and its ports to the records of a capture: each device when its port is
/// opened, the port's baud rates, its bytes with the time at which the core received them, and its disconnection. A
/// replay yields the same fixes.
package final class CaptureRecorder: PortObserver {
  package let forbidsWriting = false
  package let wantsBytesAlone = true

  private let origin: Instant
  private let sink: (CaptureRecord) -> Void
  /// The numbers of the devices in the capture, by identity: a device that is plugged in again keeps its number.
  private var numbers: [String: Int] = [:]
  private var detectedDevices: [LinkID: DetectedDevice] = [:]
  /// The open ports with the numbers of their devices.
  private var open: [LinkID: Int] = [:]

  /// - Parameters:
  ///   - origin: the time from which arrivals in the recording are counted.
  ///   - wallClock: the wall-clock time at `origin`; `nil` if it is unknown.
  package init(origin: Instant, wallClock: GNSSTime?, _ sink: @escaping (CaptureRecord) -> Void) {
    self.origin = origin
    self.sink = sink
    if let wallClock { sink(CaptureRecord(arrival: .zero, source: 0, event: .start(wallClock))) }
  }

  /// Adds a port that was already open when the capture started.
  package func begin(_ id: LinkID, _ device: DetectedDevice, baud: Int?, at now: Instant) {
    detectedDevices[id] = device
    opened(id, baud: baud, at: now)
  }

  /// Records an input of the core.
  package func note(_ input: ServiceCore.Input, at now: Instant) {
    switch input {
    case .opened(let id, let baud): opened(id, baud: baud, at: now)
    case .closed(let id): closed(id, at: now)
    case .deviceVanished(let device, let path):
      for (id, detectedDevice) in detectedDevices where detectedDevice.id == device && detectedDevice.path == path {
        closed(id, at: now)
      }
    case .deviceAppeared, .sourceless, .inventoryComplete, .openFailed, .portFreed, .ended,
      .request, .presence, .clientGone, .recalled, .settingsRecalled, .trustChanged, .ownerSet, .wifiChanged,
      .scanned, .remembered, .prefer, .useCorrections, .setMonitoringFeed, .setTiming, .wake:
      break
    }
  }

  /// Records an action of the core.
  package func note(_ action: ServiceCore.Action, at now: Instant) {
    switch action {
    case .open(let id, let device): detectedDevices[id] = device
    // The device of a port that the service closes was not disconnected.
    case .close(let id): open[id] = nil
    case .setSpeed(let id, let baud): if let number = open[id] { record(.speed(baud: baud), of: number, at: now) }
    case .write, .send, .changeTrust, .setOwner, .recall, .keep, .recallSettings, .keepSettings, .leftChanged,
      .listenToWiFi, .learnPlaces, .monitoringFix, .timed, .remember:
      break
    }
  }

  /// Records bytes that a receiver has sent.
  package func received(_ bytes: Span<UInt8>, on id: LinkID, at now: Instant) {
    guard let number = open[id], !bytes.isEmpty else { return }
    var payload: [UInt8] = []
    payload.reserveCapacity(bytes.count)
    for index in bytes.indices { payload.append(bytes[index]) }
    record(.bytes(payload), of: number, at: now)
  }

  private func opened(_ id: LinkID, baud: Int?, at now: Instant) {
    guard let detectedDevice = detectedDevices[id] else { return }
    let number = numbers[detectedDevice.id] ?? numbers.count + 1
    numbers[detectedDevice.id] = number
    open[id] = number
    record(.device(CapturedDevice(detectedDevice, baud: baud)), of: number, at: now)
  }

  private func closed(_ id: LinkID, at now: Instant) {
    guard let number = open.removeValue(forKey: id) else { return }
    record(.gone, of: number, at: now)
  }

  private func record(_ event: CaptureEvent, of number: Int, at now: Instant) {
    sink(CaptureRecord(arrival: now - origin, source: number, event: event))
  }
}
