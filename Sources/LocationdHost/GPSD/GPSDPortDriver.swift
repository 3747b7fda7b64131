package import LocationdService

#if GPSD
  import Geodesy
  import LinuxDevices
  package import LinuxIO
  import LocationIPC
  import WireFormats

  /// Receivers that gpsd owns. Their bytes are received through gpsd and decoded by our own decoders. gpsd's own
  /// reports are used if the bytes are of a protocol that we do not decode, or are not available.
  package final class GPSDPortDriver: PortDriver {
    /// How long to wait for data. A receiver that gpsd has to open first sends data after at most seven seconds (3.22,
    /// which tries other protocols first).
    private static let patience: Duration = .seconds(12)
    /// A receiver that uses NMEA or UBX sends a complete message within this number of bytes.
    private static let bytesToUnderstand = 4096

    private let loop: EventLoop
    private unowned let runner: ServiceRunner
    private var open: [LinkID: OpenDevice] = [:]

    package init(loop: EventLoop, runner: ServiceRunner) {
      self.loop = loop
      self.runner = runner
    }

    private final class OpenDevice {
      let endpoint: GPSDEndpoint
      let device: String
      var client: GPSDClient?
      var timer: TimerID?
      var isWatched = false
      /// Searches for the first message; `nil` once one was found.
      var scout: WireDecoder? = WireDecoder()
      var bytesReceived = 0

      init(_ route: GPSDRoute) {
        endpoint = GPSDEndpoint(route.gpsd)
        device = route.device
      }
    }

    package func open(_ id: LinkID, _ detectedDevice: DetectedDevice) {
      guard let route = detectedDevice.gpsd else { return }
      close(id)
      let device = OpenDevice(route)
      open[id] = device
      connect(id, device, .raw(device: route.device))
    }

    package func close(_ id: LinkID) {
      guard let device = open.removeValue(forKey: id) else { return }
      device.client?.close()
      if let timer = device.timer { loop.cancel(timer) }
    }

    /// Does nothing: gpsd sets the baud rate of its own ports.
    package func setSpeed(_ id: LinkID, baud: Int) {}
    /// Does nothing: this service sends no requests to receivers that gpsd owns.
    package func write(_ id: LinkID, _ bytes: [UInt8]) {}

    // MARK: -

    private func connect(_ id: LinkID, _ device: OpenDevice, _ request: GPSDRequest) {
      device.client?.close()
      device.client = GPSDClient(loop: loop, endpoint: device.endpoint, request: request) { [unowned self] event in
        receive(event, on: id, device)
      }
    }

    private func receive(_ event: GPSDClient.Event, on id: LinkID, _ device: OpenDevice) {
      switch event {
      case .report(.watching):
        guard !device.isWatched else { return }
        device.isWatched = true
        device.timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in
          device.timer = nil
          useReports(id, device)
        }
        runner.handle(.opened(id, baud: nil))
      case .report(.devices(let devices)):
        // gpsd knows the protocol at once if it has read from the receiver before.
        guard !device.isWatched, devices.first(where: { $0.path == device.device })?.speaksOurProtocols == false else {
          return
        }
        useReports(id, device)
      case .report(.messages(let messages, let source)):
        guard source == device.device || source.isEmpty else { return }
        received(device)
        for message in messages { runner.receive(message, on: id) }
      case .report(.version), .report(.device), .report(.other): break
      case .bytes(let bytes):
        seek(bytes, id, device)
        runner.receive(bytes.span, on: id)
      case .report(.error), .ended:
        close(id)
        runner.handle(device.isWatched ? .closed(id) : .openFailed(id, .cannotOpen(.vanished)))
      }
    }

    /// Detects, from the first messages, whether these bytes are of a protocol that we decode.
    private func seek(_ bytes: [UInt8], _ id: LinkID, _ device: OpenDevice) {
      guard device.scout != nil else { return }
      device.scout?.push(bytes.span) { _ in }
      device.bytesReceived += bytes.count
      if let counters = device.scout?.counters, counters.validFrames > 0 {
        received(device)
      } else if device.bytesReceived >= Self.bytesToUnderstand {
        useReports(id, device)
      }
    }

    private func received(_ device: OpenDevice) {
      device.scout = nil
      if let timer = device.timer { loop.cancel(timer) }
      device.timer = nil
    }

    private func useReports(_ id: LinkID, _ device: OpenDevice) {
      received(device)
      // A recording needs the bytes, especially those that no decoder understands.
      guard runner.tap?.wantsBytesAlone != true else { return }
      connect(id, device, .reports(device: device.device))
    }
  }
#endif
