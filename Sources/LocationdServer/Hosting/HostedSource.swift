import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import LocationReplay
import LocationdConfiguration
import LocationdHost
import LocationdService
import Positioning
import TimeService

/// The parts that one kind of source needs, put together for a service.
final class HostedSource: ServicePorts {
  private enum Kind {
    /// Not open yet.
    case none
    case automatic(DeviceSource, WiFiSource?)
    case wifi(WiFiSource?)
    case serial(NamedPort)
    #if GPSD
      case gpsd(GPSDSource)
    #endif
    /// A receiver in a network.
    case network(DetectedDevice)
    case simulator(SimulatorFeed)
    case replay(ReplayPortDriver)
    /// Behind a daemon.
    case daemon(DaemonCapturePortDriver)
  }

  private var kind = Kind.none
  private var settings = ServiceSettings()
  /// Where the Wi-Fi source stores what it learns; `nil` if there is no Wi-Fi source, because this kind of source has none or
  /// because there is no state folder.
  private var wifiFolder: String?
  private(set) var links: (any PortDriver)?
  /// `nil`: no corrections are configured.
  private(set) var corrections: CorrectionSource?
  private var correctionFolder: String?
  /// Whether the corrections of the settings are used.
  var usesCorrections = false
  private var direct: SerialPortDriver?
  private(set) var time: TimeFeed?

  /// Opens live sources, local or those of a daemon.
  func open(
    _ source: SourceSelection, loop: EventLoop, runner: ServiceRunner, stateFolder: String?,
    minding gpsd: GPSDAddress?, _ settings: ServiceSettings
  ) throws(SystemError) {
    self.settings = settings
    let receivers = settings.receivers.receivers
    let direct = SerialPortDriver(loop: loop, runner: runner, lockFolders: ProcessEnvironment.lockFolders)
    let network = NetworkPortDriver(loop: loop, runner: runner)
    self.direct = direct
    #if GPSD
      links = PortRouter(direct: direct, gpsd: GPSDPortDriver(loop: loop, runner: runner), network: network)
    #else
      links = PortRouter(direct: direct, gpsd: nil, network: network)
    #endif
    switch source {
    case .automatic:
      let devices = try DeviceSource(
        loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd, receivers: receivers)
      wifiFolder = stateFolder
      kind = .automatic(devices, wifiSource(loop, runner, isAlone: false))
    case .wifi:
      wifiFolder = stateFolder ?? DeviceSource.noFolder
      kind = .wifi(wifiSource(loop, runner, isAlone: true))
    case .serial(let path, let baud):
      var sighting = DetectedDevice(id: path, path: path, kind: .trusted)
      sighting.namedSpeed = baud
      kind = .serial(NamedPort(sighting, loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd))
    case .receiver(let receiver):
      if receiver.id == nil, let port = receiver.port {
        let sighting = DetectedDevice(id: port, path: port, kind: .trusted)
        kind = .serial(NamedPort(sighting, loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd))
      } else {
        // The port of the receiver with that ID may change.
        let devices = try DeviceSource(
          loop: loop, runner: runner, stateFolder: stateFolder, minding: gpsd, receivers: [receiver], only: receiver)
        kind = .automatic(devices, nil)
      }
    case .gpsd(let address):
      #if GPSD
        kind = .gpsd(GPSDSource(loop: loop, runner: runner, address: address))
      #endif
    case .network(let address): kind = .network(DetectedDevice(address))
    case .simulator:
      var configuration = SimulatedReceiver.Configuration()
      // The epochs of receivers are at whole seconds.
      let now = WallClock.now().nanosecondsSince1970
      configuration.startTime = GNSSTime(nanosecondsSince1970: now - now % 1_000_000_000)
      kind = .simulator(try SimulatorFeed(loop: loop, configuration))
    case .daemon(let device):
      let received = try DaemonCapturePortDriver(loop: loop, runner: runner, device: device)
      links = received
      kind = .daemon(received)
    case .replay: break
    }
    administration?.ownership.controlSocket = settings.gpsdSocket
    correctionFolder = stateFolder
  }

  /// Uses the corrections of the settings from now on. The file of a caster is read again; if it and the setting are as before, the
  /// connection stays.
  private func correct(loop: EventLoop, runner: ServiceRunner) {
    guard usesCorrections, corrections != nil || settings.corrections != nil else { return }
    let isCurrent = settings.corrections.map { corrections?.isCurrent(for: $0) ?? false } ?? false
    if !isCurrent {
      corrections?.close()
      corrections = settings.corrections.map {
        CorrectionSource(
          $0, loop: loop, ports: self, root: ProcessEnvironment.value(SettingKey.rootVariable) ?? "",
          stateFolder: correctionFolder, release: Release.current)
      }
    }
    runner.handle(
      .useCorrections(corrections.map { _ in ServiceCore.CorrectionUse(named: settings.correctedReceivers) }))
  }

  private func wifiSource(_ loop: EventLoop, _ runner: ServiceRunner, isAlone: Bool) -> WiFiSource? {
    guard settings.usesWiFi, let wifiFolder else { return nil }
    return WiFiSource(loop, runner, stateFolder: wifiFolder, network: settings.network, isAlone: isAlone)
  }

  /// Gives the time of the receivers at the ports of this machine to its clocks, as far as the settings want that.
  func open(_ feed: TimeFeed) {
    time = feed
    direct?.time = feed
  }

  /// Applies the settings that can change while the sources are open.
  func apply(_ new: ServiceSettings, loop: EventLoop, runner: ServiceRunner) {
    let old = settings
    settings = new
    administration?.ownership.controlSocket = new.gpsdSocket
    // A caster's file may have changed.
    if !isReplay { correct(loop: loop, runner: runner) }
    if old.receivers != new.receivers {
      runner.handle(.prefer(new.receivers))
      devices?.name(new.receivers.receivers)
    }
    // 'locationctl time set-clock on' may have changed only what the helper may do.
    if old.time != new.time || new.time.setsClock { time?.apply(new.time) }
    if old.usesWiFi != new.usesWiFi {
      switchWiFi(loop: loop, runner: runner)
    } else if old.network != new.network {
      wifi?.use(new.network)
    }
  }

  private func switchWiFi(loop: EventLoop, runner: ServiceRunner) {
    let before = wifi
    switch kind {
    case .automatic(let devices, _): kind = .automatic(devices, wifiSource(loop, runner, isAlone: false))
    case .wifi:
      kind = .wifi(wifiSource(loop, runner, isAlone: true))
      runner.handle(.sourceless(wifi == nil ? .radio(.switchedOff) : .noSource))
    default: return
    }
    if let before {
      runner.handle(.wifiChanged(isThere: false))
      before.close()
    }
    wifi?.begin()
  }

  /// Opens a recording, which is played when a client requests it.
  func open(_ replay: ReplayPortDriver) {
    links = replay
    kind = .replay(replay)
  }

  /// Reports the available devices to the service.
  func begin(feeding runner: ServiceRunner, on loop: EventLoop) throws(SystemError) {
    if !isReplay { correct(loop: loop, runner: runner) }
    time?.apply(settings.time)
    switch kind {
    case .none: break
    case .automatic(let devices, let wifi):
      wifi?.begin()
      try devices.begin()
    case .wifi(let wifi):
      if let wifi { wifi.begin() } else { runner.handle(.sourceless(.radio(.switchedOff))) }
      runner.handle(.inventoryComplete)
    case .serial(let port): port.begin()
    #if GPSD
      case .gpsd(let source): source.begin()
    #endif
    case .network(let device):
      runner.handle(.deviceAppeared(device))
      runner.handle(.inventoryComplete)
    case .simulator(let simulator):
      try simulator.begin()
      runner.handle(.deviceAppeared(DetectedDevice(id: "simulator", path: simulator.path, kind: .trusted)))
      runner.handle(.inventoryComplete)
    case .replay(let replay): replay.begin()
    case .daemon(let received): received.begin()
    }
  }

  var wifi: WiFiSource? {
    switch kind {
    case .automatic(_, let wifi), .wifi(let wifi): wifi
    default: nil
    }
  }

  var administration: (any DeviceAdministration)? {
    switch kind {
    case .automatic(let devices, _): devices
    case .serial(let port): port
    default: nil
    }
  }

  /// The gpsd that keeps its receivers.
  var neighbour: GPSDOwnership? {
    switch kind {
    case .automatic(let devices, _): devices.neighbour
    case .serial(let port): port.neighbour
    default: nil
    }
  }

  /// The machine's devices; `nil` if the source is not any of them.
  var devices: DeviceSource? { if case .automatic(let devices, _) = kind { devices } else { nil } }

  /// The receivers of the daemon that this process listens to.
  var received: DaemonCapturePortDriver? { if case .daemon(let received) = kind { received } else { nil } }

  /// Whether the Wi-Fi source is switched off.
  var isWiFiOff: Bool { !settings.usesWiFi }

  /// Whether the source is a recording.
  var isReplay: Bool { if case .replay = kind { true } else { false } }
}

extension ServiceSettings {
  /// The external services that may be used.
  fileprivate var network: NetworkLocationSettings {
    var names = NetworkLocationSettings.Names()
    if let name = invalidWiFi[.wifiProvider] { names.provider = name }
    if let name = invalidWiFi[.wifiTiles] { names.tiles = name }
    return NetworkLocationSettings(provider: wifiProvider, tiles: wifiTiles, names: names)
  }
}
