import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport

/// Seeded messages with every field present or absent, every case, and texts of all lengths.
struct MessageGenerator {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func clientMessage() -> ClientMessage {
    guard int(0...8) > 0 else {
      let oldest = UInt16(int(1...3))
      return .hello(
        ClientHello(
          versions: oldest...(oldest + UInt16(int(0...3))), name: text(), usage: usage(),
          onBehalfOf: maybe { $0.caller() }))
    }
    return .request(request())
  }

  private mutating func caller() -> BridgedCaller {
    BridgedCaller(
      processID: Int32(int(1...Int(Int32.max))), userID: UInt32.random(in: 0...UInt32.max, using: &random),
      startTicks: Int64(int(0...1 << 50)), isReduced: flag())
  }

  mutating func request() -> ClientRequest {
    let id = RequestID(UInt32.random(in: 0...UInt32.max, using: &random))
    switch int(0...17) {
    case 17:
      return .deferUpdates(
        id, of: RequestID(UInt32.random(in: 0...UInt32.max, using: &random)),
        DeferralLimits(distance: maybe { Meters($0.positive()) }, timeout: maybe { .milliseconds($0.int(0...1 << 40)) })
      )
    case 16: return .places(id, placesRequest())
    case 15: return .fleet(id, fleetRequest())
    case 14: return .time(id, one(of: TimeRequest.allCases))
    case 13: return .monitoring(id, monitoringRequest())
    case 12: return .wifi(id, wifiRequest())
    case 0:
      return .locate(
        id,
        OneShotOptions(
          desiredRadius68: maybe { Meters($0.positive()) }, timeout: duration(), maximumAge: duration(),
          acceptsLastKnown: flag(), waitsForSource: flag(), whenNotDetermined: one(of: NotDeterminedPolicy.allCases)))
    case 1:
      return .startUpdates(
        id,
        UpdateOptions(
          desiredRadius68: maybe { Meters($0.positive()) }, distanceFilter: maybe { Meters($0.positive()) },
          activity: maybe { $0.one(of: Activity.allCases) }, rateHertz: maybe { $0.int(1...25) },
          waitsForSource: flag(), setsReceivers: flag(), whenNotDetermined: one(of: NotDeterminedPolicy.allCases),
          allowsBackground: flag(), pausesAutomatically: flag(),
          sufficientRadius68: maybe { Meters($0.positive()) }, isRaw: flag()))
    case 2: return .watchSky(id, waitsForSource: flag())
    case 3: return .cancel(id)
    case 4: return .listDevices(id)
    case 5: return .trustDevice(id, selector: text())
    case 6: return .forgetDevice(id, selector: text())
    case 7: return .log(id, logRequest())
    case 8: return .listenIn(id)
    case 10: return .authorization(id, authorizationRequest())
    case 9: return .setOwner(id, selector: text(), owner: one(of: DeviceOwner.allCases))
    default: return .status(id)
    }
  }

  mutating func serverMessage() -> ServerMessage {
    switch int(0...9) {
    case 0:
      return .hello(
        ServerHello(
          version: UInt16(int(1...9)), release: text(), present: Instant(nanoseconds: Int64(int(0...1 << 60)))))
    case 1: return .refused(refusal())
    default: return .event(event())
    }
  }

  mutating func event() -> ServiceEvent {
    let id = RequestID(UInt32.random(in: 0...UInt32.max, using: &random))
    switch int(0...16) {
    case 16: return .batch(id, FixBatch([fix()] + list(upTo: 5) { $0.fix() }), age: duration())
    case 15: return .places(id, list(upTo: 10) { $0.foundPlace() })
    case 14: return .fleet(id, fleetAnswer())
    case 13: return .monitoring(id, monitoringAnswer())
    case 12: return .wifi(id, wifiAnswer())
    case 0: return .located(id, fix(), age: duration(), isCached: flag())
    case 1: return .failed(id, failure())
    case 2: return .update(id, fix(), age: duration())
    case 3: return .streamChanged(id, one(of: StreamChange.allCases))
    case 4: return .sky(id, sky())
    case 5: return .progress(id, progress())
    case 6: return .devices(id, list(upTo: 6) { $0.device() })
    case 7: return .done(id)
    case 8: return .log(id, logAnswer())
    case 10: return .authorization(id, authorizationAnswer())
    case 9: return .received(id, list(upTo: 300) { UInt8($0.int(0...255)) })
    default: return .status(id, status())
    }
  }

  mutating func fix() -> PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: Int64.random(in: Int64.min...Int64.max, using: &random)),
      timeValidity: one(of: [.none, .timeOfDayOnly, .dateUnconfirmed, .confirmed]),
      receivedAt: Instant(nanoseconds: Int64.random(in: Int64.min...Int64.max, using: &random)),
      coordinate: Coordinate(
        latitude: Angle(degrees: Double.random(in: -90...90, using: &random)),
        longitude: Angle(degrees: Double.random(in: -180...180, using: &random))),
      horizontalRadius68: Meters(positive()),
      kind: one(of: [.estimated, .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed]),
      technologies: Technologies(rawValue: UInt8(int(0...255))))
    fix.heightAboveEllipsoid = maybe { Meters($0.signed()) }
    fix.heightAboveMeanSeaLevel = maybe { Meters($0.signed()) }
    fix.verticalRadius68 = maybe { Meters($0.positive()) }
    fix.speedMetersPerSecond = maybe { $0.positive() }
    fix.speedRadius68MetersPerSecond = maybe { $0.positive() }
    fix.course = maybe { Angle(degrees: $0.positive()) }
    fix.courseRadius68 = maybe { Angle(degrees: $0.positive()) }
    fix.satellitesUsed = maybe { $0.int(0...90) }
    fix.hdop = maybe { $0.positive() }
    fix.qualityFlag = maybe { $0.one(of: [.frozen, .jammed, .implausible]) }
    fix.isSimulated = flag()
    fix.isImported = flag()
    fix.device = maybe { $0.text() }
    fix.receiver = maybe { $0.text() }
    return fix
  }

  mutating func failure() -> LocationFailure {
    switch int(0...33) {
    case 33: .deferral(one(of: DeferralFailure.allCases))
    case 32: .places(placesFailure())
    case 31: .fleet(fleetFailure())
    case 28: .notAccurateEnough(path: text(), best: Meters(positive()))
    case 29: .serviceBusy(path: text())
    case 30: .serviceSilent(path: text())
    case 27: .monitoring(monitoringFailure())
    case 0: .noSource
    case 26: .placesNotKept(path: text(), reason: text(), one(of: StorageCause.allCases))
    case 25: .radio(radioProblem())
    case 24: .noKnownAccessPoint(received: int(0...1000))
    case 1: .noGPSD(address: text())
    case 2: .noReceiverAtGPSD(address: text())
    case 3:
      .untrustedAdapters(
        list(upTo: 4) { UntrustedAdapter(id: $0.text(), path: $0.text(), name: $0.maybe { $0.text() }) })
    case 4: .permissionDenied(path: text(), group: maybe { $0.text() })
    case 5: .portInUse(path: text(), holder: holder())
    case 6: .cannotOpen(path: text(), reason: openFailure())
    case 7: .nothingReceived(path: text(), bytesSeen: int(0...9999), speeds: list(upTo: 9) { $0.int(300...4_000_000) })
    case 8: .nothingReceivedYet(path: text(), bytesSeen: int(0...9999))
    case 9: .noSatellites(path: text())
    case 10: .noFixYet(path: text(), satellitesInView: maybe { $0.int(0...90) })
    case 11: .noUsableFix(path: text(), qualityFlag: text())
    case 12: .sourceEnded(path: text())
    case 13: .badRecording(path: text(), reason: text())
    case 14: .unknownDevice(selector: text(), known: list(upTo: 5) { $0.text() })
    case 15: .tooManyRequests(limit: int(0...9999))
    case 16: .cannotStore(path: text(), errno: Int32(int(1...133)))
    case 17: .serviceLost(path: text())
    case 18: .serviceRefused(refusal())
    case 19: .log(logFailure())
    case 21: .notAuthorized(denial(), identity: maybe { $0.identity() })
    case 22: .notKept(path: text(), reason: text(), one(of: StorageCause.allCases))
    case 20: .notHandedOver(path: text(), to: one(of: DeviceOwner.allCases), handoverProblem())
    default: .serviceUnreadable(reason: text())
    }
  }

  private mutating func holder() -> PortHolder {
    switch int(0...4) {
    case 0: .unknown
    case 1: .process(pid: Int32(int(1...99_999)), name: text())
    case 2: .likely(service: text())
    case 3: .console(tty: text())
    default: .ownLock(pid: maybe { Int32($0.int(1...99_999)) })
    }
  }

  private mutating func handoverProblem() -> HandoverProblem {
    one(of: [.denied(socket: text()), .noSocket(text()), .refused, .noAnswer, .elsewhere(gpsd: text()), .unminded])
  }

  private mutating func openFailure() -> OpenFailure {
    one(of: [
      .doesNotExist, .isDirectory, .isRegularFile, .isFIFO, .isNotSerialPort, .vanished,
      .notConnected(.silent),
      .system(operation: text(), errno: Int32(int(1...133))),
    ])
  }

  private mutating func refusal() -> DisconnectReason {
    one(of: [
      .unsupportedVersion(oldest: UInt16(int(1...9)), newest: UInt16(int(9...99))), .brokenProtocol, .tooQuiet,
      .tooManyMessages(perSecond: int(1...999)), .tooManyClients(limit: int(1...999)), .tooSlow, .stopping,
    ])
  }

  private mutating func progress() -> LocationProgress {
    switch int(0...4) {
    case 0: .waitingForSource
    case 1: .waitingForPort(path: text())
    case 2: .listening(path: text(), baud: maybe { $0.int(300...4_000_000) })
    case 3:
      .searching(path: text(), satellitesInView: maybe { $0.int(0...99) }, satellitesUsed: maybe { $0.int(0...99) })
    default: .converging(radius68Meters: positive())
    }
  }

  private mutating func device() -> DeviceDescription {
    var device = DeviceDescription(
      id: text(), path: text(), kind: one(of: DeviceKind.allCases), state: one(of: DeviceState.allCases))
    device.usbVendorID = maybe { UInt16($0.int(0...65_535)) }
    device.usbProductID = maybe { UInt16($0.int(0...65_535)) }
    device.product = maybe { $0.text() }
    device.chip = maybe { $0.text() }
    device.firmware = maybe { $0.text() }
    device.protocolName = maybe { $0.text() }
    device.baud = maybe { $0.int(300...4_000_000) }
    device.owner = maybe { $0.one(of: DeviceOwner.allCases) }
    device.name = maybe { $0.text() }
    return device
  }

  private mutating func sky() -> SkyReport {
    var report = SkyReport(device: text())
    report.time = maybe { GNSSTime(nanosecondsSince1970: Int64($0.int(0...1 << 60))) }
    report.timeValidity = maybe { $0.one(of: [.none, .timeOfDayOnly, .dateUnconfirmed, .confirmed]) }
    report.receiver = maybe { $0.text() }
    report.fix = maybe { $0.one(of: [.estimated, .twoDimensional, .threeDimensional, .rtkFixed]) }
    report.hdop = maybe { $0.positive() }
    report.vdop = maybe { $0.positive() }
    report.pdop = maybe { $0.positive() }
    report.satellitesUsed = maybe { $0.int(0...128) }
    report.satellites = maybe { $0.list(upTo: 12) { $0.satellite() } }
    report.listAge = duration()
    report.isSimulated = flag()
    return report
  }

  private mutating func satellite() -> SatelliteReport {
    var satellite = SatelliteReport(one(of: SatelliteConstellation.allCases), int(1...200))
    satellite.elevationDegrees = maybe { $0.int(-90...90) }
    satellite.azimuthDegrees = maybe { $0.int(0...359) }
    satellite.signalDecibelHertz = maybe { $0.int(1...60) }
    satellite.isUsed = maybe { $0.flag() }
    satellite.isHealthy = maybe { $0.flag() }
    satellite.signals = list(upTo: 3) {
      SatelliteSignal(name: $0.text(), decibelHertz: $0.maybe { $0.int(1...60) })
    }
    return satellite
  }

  private mutating func status() -> ServiceStatus {
    var status = ServiceStatus(source: text())
    status.version = maybe { $0.text() }
    status.processID = maybe { Int32($0.int(1...99_999)) }
    status.runningFor = duration()
    status.lastFixAge = maybe { $0.duration() }
    status.lastFixRadius68 = maybe { Meters($0.positive()) }
    (status.satellitesUsed, status.satellitesInView) = (maybe { $0.int(0...60) }, maybe { $0.int(0...60) })
    status.devices = list(upTo: 3) { $0.device() }
    status.clients = list(upTo: 4) {
      var client = ClientStatus(name: $0.text())
      client.purpose = $0.maybe { $0.text() }
      client.processID = $0.maybe { Int32($0.int(1...99_999)) }
      client.userID = $0.maybe { UInt32($0.int(0...99_999)) }
      client.connectedFor = $0.maybe { $0.duration() }
      client.identity = $0.maybe { $0.identity() }
      client.level = $0.maybe { $0.one(of: AuthorizationLevel.allCases) }
      client.presence = $0.maybe { $0.flag() ? .inUse : .background }
      (client.oneShots, client.streams, client.skies) = ($0.int(0...9), $0.int(0...9), $0.int(0...9))
      (client.paused, client.resting, client.undecided) = ($0.int(0...9), $0.int(0...9), $0.int(0...9))
      client.port = $0.maybe { $0.one(of: NetworkProtocol.allCases) }
      client.connections = $0.int(1...9)
      return client
    }
    status.ports = list(upTo: 3) {
      PortStatus(
        protocolName: $0.one(of: NetworkProtocol.allCases), address: $0.text(),
        state: $0.one(of: PortStatus.State.allCases), isPassed: $0.flag())
    }
    status.logs = list(upTo: 3) { $0.logDescription() }
    status.isOn = flag()
    status.wifi = maybe { $0.wifiReport() }
    status.isOffByLoss = flag()
    status.isSkyHidden = flag()
    status.bounds = list(upTo: 3) {
      ReachedBound(
        ServiceBound(
          $0.one(of: ServiceBound.Kind.allCases), limit: $0.int(1...4096),
          userID: $0.maybe { UInt32($0.int(0...99_999)) }), times: $0.int(1...1000), ago: $0.duration())
    }
    status.time = maybe { $0.timeReport() }
    status.fleet = list(upTo: 3) { $0.fleetReport() }
    status.indicator = one(of: [.none, .hollow, .solid])
    status.usage = list(upTo: 3) { $0.usageDescription() }
    status.backgroundCount = int(0...9)
    status.background = maybe { $0.usageDescription().user }
    return status
  }

  // MARK: -

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func flag() -> Bool { Bool.random(using: &random) }
  mutating func positive() -> Double { Double.random(in: 0.001...1e6, using: &random) }
  private mutating func signed() -> Double { Double.random(in: -1e4...1e5, using: &random) }
  /// Whole nanoseconds of up to 31 years, also negative.
  mutating func duration() -> Duration {
    .nanoseconds(Int64(int(-1_000_000_000_000_000_000...1_000_000_000_000_000_000)))
  }

  mutating func one<T>(of choices: [T]) -> T { choices[int(0...choices.count - 1)] }

  mutating func maybe<T>(_ make: (inout MessageGenerator) -> T) -> T? { flag() ? make(&self) : nil }

  mutating func list<T>(upTo most: Int, _ make: (inout MessageGenerator) -> T) -> [T] {
    (0..<int(0...most)).map { _ in make(&self) }
  }

  /// A text within its limit, with characters of one to four bytes.
  mutating func text() -> String {
    let scalars: [Character] = ["a", "Z", "/", " ", "ä", "€", "😀", "\n", "\0"]
    return String((0..<int(0...50)).map { _ in one(of: scalars) })
  }
}
