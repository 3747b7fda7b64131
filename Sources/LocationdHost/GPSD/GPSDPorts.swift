package import LocationdService

#if GPSD
  import Geodesy
  import LinuxDevices
  package import LinuxIO
  import LocationIPC
  import WireFormats

  /// Receivers that gpsd owns: their bytes by way of gpsd, so that our own decoders read them; what gpsd makes of them where
  /// the bytes are of a protocol that we do not speak, or are not to be had.
  package final class GPSDPorts: LinkPorts {
    /// A receiver that gpsd has to open first is heard after seven seconds at the latest (3.22, which tries others first).
    private static let patience: Duration = .seconds(12)
    /// Bytes in which a receiver that speaks NMEA or UBX has said something.
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
      /// Looks for the first message; `nil` once it has come.
      var scout: WireDecoder? = WireDecoder()
      var bytesHeard = 0

      init(_ route: GPSDRoute) {
        endpoint = GPSDEndpoint(route.gpsd)
        device = route.device
      }
    }

    package func open(_ id: LinkID, _ sighting: DeviceSighting) {
      guard let route = sighting.gpsd else { return }
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

    /// gpsd looks after the speed of its own ports.
    package func setSpeed(_ id: LinkID, baud: Int) {}
    /// Whose receiver it is, is asked nothing by us.
    package func write(_ id: LinkID, _ bytes: [UInt8]) {}

    // MARK: -

    private func connect(_ id: LinkID, _ device: OpenDevice, _ request: GPSDRequest) {
      device.client?.close()
      device.client = GPSDClient(loop: loop, endpoint: device.endpoint, request: request) { [unowned self] event in
        take(event, on: id, device)
      }
    }

    private func take(_ event: GPSDClient.Event, on id: LinkID, _ device: OpenDevice) {
      switch event {
      case .report(.watching):
        guard !device.isWatched else { return }
        device.isWatched = true
        device.timer = loop.schedule(at: loop.now + Self.patience) { [unowned self] in
          device.timer = nil
          useReports(id, device)
        }
        runner.feed(.opened(id, baud: nil))
      case .report(.devices(let devices)):
        // Known from the beginning where gpsd has read it before.
        guard !device.isWatched, devices.first(where: { $0.path == device.device })?.speaksOurProtocols == false else {
          return
        }
        useReports(id, device)
      case .report(.messages(let messages, let source)):
        guard source == device.device || source.isEmpty else { return }
        heard(device)
        for message in messages { runner.receive(message, on: id) }
      case .report(.version), .report(.device), .report(.other): break
      case .bytes(let bytes):
        seek(bytes, id, device)
        runner.receive(bytes.span, on: id)
      case .report(.error), .ended:
        close(id)
        runner.feed(device.isWatched ? .closed(id) : .openFailed(id, .cannotOpen(.vanished)))
      }
    }

    /// Whether these bytes are of a protocol that we speak is seen by their first messages.
    private func seek(_ bytes: [UInt8], _ id: LinkID, _ device: OpenDevice) {
      guard device.scout != nil else { return }
      device.scout?.push(bytes.span) { _ in }
      device.bytesHeard += bytes.count
      if let counters = device.scout?.counters, counters.validFrames > 0 {
        heard(device)
      } else if device.bytesHeard >= Self.bytesToUnderstand {
        useReports(id, device)
      }
    }

    private func heard(_ device: OpenDevice) {
      device.scout = nil
      if let timer = device.timer { loop.cancel(timer) }
      device.timer = nil
    }

    private func useReports(_ id: LinkID, _ device: OpenDevice) {
      heard(device)
      // A recording wants the bytes, and those that nobody understands most of all.
      guard runner.tap?.wantsBytesAlone != true else { return }
      connect(id, device, .reports(device: device.device))
    }
  }
#endif
