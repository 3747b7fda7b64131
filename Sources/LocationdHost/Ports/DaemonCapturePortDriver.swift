import Geodesy
package import LinuxIO
import LocationIPC
import LocationPolicy
package import LocationReplay
import LocationdClient
package import LocationdService

/// Receivers of a daemon: this process receives a copy of their output, and writes nothing to them. While this is
/// connected, the daemon keeps the receivers open and their settings unchanged.
package final class DaemonCapturePortDriver: PortDriver {
  /// Whether a user without authorization gets an error without a prompt, because a diagnosis only reports the current
  /// state. Set before `begin`.
  package var asksNobody = false

  /// Receives each record of the daemon's capture, if set.
  package var recording: CaptureRecording?
  /// The same for another consumer.
  package var onRecord: ((CaptureRecord) -> Void)?

  private let client: SocketClient
  private let requests: ServiceRequests
  /// The path of the one receiver whose output is received; `nil` for all.
  private let device: String?
  /// The capture numbers of the other receivers.
  private var others: Set<Int> = []
  private unowned let runner: ServiceRunner
  private var reader = CaptureReader()
  private var sources: [Int: Source] = [:]
  private var hasInventory = false

  private struct Source {
    var detectedDevice: DetectedDevice
    var link: LinkID?
  }

  /// Connects to the daemon, which must be running.
  ///
  /// - Parameter device: the path of the one receiver whose output is received, as the daemon names it; `nil` for all.
  package init(loop: EventLoop, runner: ServiceRunner, device: String?) throws(SystemError) {
    self.device = device
    let client: SocketClient?
    do throws(UnreachableService) {
      client = try ServiceSocket.connect(on: loop, ClientHello(name: "locationctl"))
    } catch {
      throw error.cause
    }
    guard let client else { throw SystemError(operation: "connect to locationd", errno: SystemError.noSuchThing) }
    self.client = client
    self.runner = runner
    requests = ServiceRequests { [unowned client] in client.send($0) }
  }

  package func begin() {
    if asksNobody { checkAuthorization() } else { listen() }
    client.begin(for: requests)
  }

  private var isListening = false

  private func listen() {
    guard !isListening else { return }
    isListening = true
    requests.send(.capture) { [unowned self] event in
      switch event {
      case .reply(let lines): receive(lines)
      case .failed(let failure): fail(failure)
      case .progress: break
      }
    }
    // The first stream keeps the receivers open in any case; the second reports why there is no source.
    var options = UpdateOptions(waitsForSource: true, setsReceivers: false)
    options.device = device
    keepOpen(options)
    options.waitsForSource = false
    keepOpen(options)
  }

  /// Requests a stream of fixes, of which only a failure is used.
  private func keepOpen(_ options: UpdateOptions) {
    requests.send(.updates(options)) { [unowned self] event in if case .failed(let failure) = event { fail(failure) } }
  }

  private func checkAuthorization() {
    requests.send(.authorizationChanges) { [unowned self] event in
      switch event {
      case .reply(let state):
        guard let denial = denial(in: state) else { return listen() }
        fail(.notAuthorized(denial, identity: nil))
      case .failed(let failure): fail(failure)
      case .progress: break
      }
    }
  }

  // MARK: - PortDriver

  package func open(_ id: LinkID, _ device: DetectedDevice) {
    for number in sources.keys where sources[number]?.detectedDevice.id == device.id { sources[number]?.link = id }
    runner.handle(.opened(id, baud: nil))
    if let baud = device.namedSpeed { runner.noteSpeed(baud, of: id) }
  }

  package func close(_ id: LinkID) {
    for number in sources.keys where sources[number]?.link == id { sources[number]?.link = nil }
  }

  package func setSpeed(_ id: LinkID, baud: Int) {}
  package func write(_ id: LinkID, _ bytes: [UInt8]) {}

  // MARK: - The daemon

  /// Why a position request would currently be denied; `nil` if it would not be, or if the daemon reports the reason
  /// itself.
  private func denial(in state: AuthorizationState) -> AuthorizationDenial? {
    let authorization = state.authorization
    switch authorization.level {
    case .notDetermined where state.presence == .background: return .notAsked(.notInUse)
    case .notDetermined: return .undecided(isAsked: authorization.isPending && authorization.canBeAnswered)
    case .whenInUse where state.presence == .background: return .inBackground
    case .whenInUse, .always, .denied, .restricted: return nil
    }
  }

  private func receive(_ lines: [UInt8]) {
    // A restarted daemon starts a new capture.
    if CaptureReader.isBeginning(lines.span) {
      for number in sources.keys.sorted() { vanish(number) }
      others = []
      reader = CaptureReader()
    }
    reader.push(lines.span)
    do throws(CaptureError) {
      while let record = try reader.next() { receive(record) }
    } catch {
      fail(.serviceUnreadable(reason: error.description))
    }
  }

  private func receive(_ record: CaptureRecord) {
    if case .device(let sighted) = record.event, let device {
      if sighted.path == device { others.remove(record.source) } else { others.insert(record.source) }
    }
    guard !others.contains(record.source) else { return }
    recording?.add(record)
    onRecord?(record)
    switch record.event {
    case .device(let device): appear(device, as: record.source)
    case .bytes(let bytes): if let link = sources[record.source]?.link { runner.receive(bytes.span, on: link) }
    case .gone: vanish(record.source)
    case .speed(let baud): if let link = sources[record.source]?.link { runner.noteSpeed(baud, of: link) }
    case .start, .scan: break
    }
  }

  private func appear(_ device: CapturedDevice, as number: Int) {
    var detectedDevice = DetectedDevice(received: device, id: "heard-\(number)", path: device.path)
    detectedDevice.namedSpeed = device.baud
    sources[number] = Source(detectedDevice: detectedDevice, link: sources[number]?.link)
    runner.handle(.deviceAppeared(detectedDevice))
    completeInventory()
  }

  private func vanish(_ number: Int) {
    guard let link = sources[number]?.link else { return }
    sources[number]?.link = nil
    runner.handle(.closed(link))
  }

  private func fail(_ failure: LocationFailure) {
    runner.handle(.sourceless(failure))
    completeInventory()
  }

  private func completeInventory() {
    guard !hasInventory else { return }
    hasInventory = true
    runner.handle(.inventoryComplete)
  }
}
