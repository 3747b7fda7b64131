#if GPSD
  import GPSDServer
  import Geodesy
  import LinuxDevices
  import LocationIPC
  import Testing
  import WireFormats

  /// The objects of this package's server, as libgps reads them.
  @Suite struct GPSDServerObjectsTests {
    private static let now = Instant(nanoseconds: 1_000_000_000_000)
    private static let clock = GNSSTime(nanosecondsSince1970: 1_772_368_496_000_000_000)
    private static let path = "/dev/ttyACM0"

    private static var devices: GPSDDeviceList {
      var device = DeviceDescription(id: "usb-1546-01a9", path: path, kind: .receiver, state: .fixing)
      (device.protocolName, device.firmware, device.baud) = ("ubx", "SPG \"4\"", 9600)
      var list = GPSDDeviceList()
      list.update([device], clock: clock)
      return list
    }

    /// All lines of a session that watches and polls, through one parser, as in a client.
    private func reports() throws -> [GPSDReport] {
      var fix = PositionFix(
        time: Self.clock, timeValidity: .confirmed, receivedAt: Self.now,
        coordinate: Coordinate(latitude: Angle(degrees: 48.125011667), longitude: Angle(degrees: -11.575011667)),
        horizontalRadius68: Meters(1.5), kind: .rtkFixed, technologies: .gnss)
      (fix.heightAboveEllipsoid, fix.heightAboveMeanSeaLevel) = (Meters(592.31), Meters(545.41))
      (fix.verticalRadius68, fix.speedMetersPerSecond, fix.course) = (Meters(2), 12.5, Angle(degrees: 84.4))
      (fix.speedRadius68MetersPerSecond, fix.device) = (0.1, Self.path)
      var sky = SkyReport(device: Self.path)
      (sky.time, sky.timeValidity, sky.hdop, sky.vdop, sky.pdop) = (Self.clock, .confirmed, 0.75, 1.12, 1.35)
      var used = SatelliteReport(.glonass, 5)
      (used.elevationDegrees, used.azimuthDegrees, used.signalDecibelHertz) = (30, 359, 42)
      (used.isUsed, used.isHealthy) = (true, true)
      sky.satellites = [used, SatelliteReport(.galileo, 36)]

      var session = GPSDSession(access: .full, devices: Self.devices, at: Self.now)
      let requests = "?WATCH={\"json\":true};?DEVICE;?nonsense\n"
      _ = session.handle(.received(Array(requests.utf8)), at: Self.now, clock: Self.clock)
      var encoder = GPSDEpochEncoder(access: .full)
      let epoch = GPSDEpoch(fix: fix, sky: sky, deliveredAt: Self.now)
      let text = encoder.text(epoch, session.forms, devices: Self.devices, at: Self.now)
      _ = session.handle(.epoch(text), at: Self.now, clock: Self.clock)
      var bytes: [UInt8] = []
      while !session.unsent.isEmpty {
        let part = session.unsent
        bytes += part
        _ = session.handle(.sent(part.count), at: Self.now, clock: Self.clock)
      }
      let parser = try #require(GPSDParser())
      return try bytes.split(separator: 0x0A).map { line in
        #expect(line.last == 0x0D)
        return try #require(parser.parse(Array(line.dropLast())), "\(String(decoding: line, as: UTF8.self))")
      }
    }

    @Test func libgpsReadsEveryObject() throws {
      var position = GPSDPosition(mode: .threeDimensional)
      (position.status, position.errorMeaning, position.time) = (.rtkFixed, .oneSigma, Self.clock)
      (position.latitude, position.longitude) = (48.125011667, -11.575011667)
      (position.altHAE, position.altMSL, position.speed, position.track) = (592.31, 545.41, 12.5, 84.4)
      (position.eph, position.epv, position.eps) = (1.5, 2, 0.1)
      var sky = GPSDSky()
      (sky.time, sky.hdop, sky.vdop, sky.pdop, sky.used) = (Self.clock, 0.75, 1.12, 1.35, 1)
      var used = GPSDSatellite(id: SatelliteID(.glonass, 5), signalDecibelHertz: 42, isUsed: true)
      (used.elevationDegrees, used.azimuthDegrees, used.isHealthy) = (30, 359, true)
      let unused = GPSDSatellite(id: SatelliteID(.galileo, 36), signalDecibelHertz: 0, isUsed: false)
      let reports = try reports()
      #expect(
        reports.filter { if case .devices = $0 { false } else if case .device = $0 { false } else { true } } == [
          .version(release: "3.25"), .watching, .error("Unrecognized request '?nonsense'"),
          .messages([.sky(sky), .satellite(used), .satellite(unused)], device: Self.path), .other,
          .messages([.position(position)], device: Self.path),
        ])
      // In the list, and as the answer to DEVICE.
      let devices = reports.flatMap { report in
        switch report {
        case .devices(let devices): devices
        case .device(let device): [device]
        case .version, .watching, .messages, .error, .other: [] as [GPSDDevice]
        }
      }
      #expect(devices.map(\.path) == [Self.path, Self.path])
      #expect(devices.allSatisfy { $0.driver == "u-blox" && $0.subtype == "SPG \"4\"" && $0.isActivated })
    }
  }
#endif
