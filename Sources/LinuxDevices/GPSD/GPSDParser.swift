#if GPSD
  internal import CGPSD
  import Geodesy
  import WireFormats

  /// Parses lines of gpsd's JSON with libgps.
  @safe package final class GPSDParser {
    // Safe: this is the only copy of the pointer, released once, in `deinit`; the report is in this object's own
    // memory.
    private let raw: OpaquePointer
    private var report = cgpsd_report()
    private var drivers: [String: String] = [:]

    /// `nil` if there is no memory, or no usable libgps.
    package init?() {
      guard let raw = unsafe cgpsd_parser_new() else { return nil }
      unsafe self.raw = raw
    }

    deinit { unsafe cgpsd_parser_free(raw) }

    /// The report in a line without its line end; `nil` if the line is not one complete object.
    package func parse(_ line: [UInt8]) -> GPSDReport? {
      guard JSONGrammar.isObject(line) else { return nil }
      var text = line.map { CChar(bitPattern: $0) } + [0]
      guard unsafe cgpsd_unpack(raw, &text, &report) == 0 else { return nil }
      switch Int(report.kind) {
      case Int(CGPSD_VERSION.rawValue): return .version(release: Self.text(report.release) ?? "")
      case Int(CGPSD_DEVICES.rawValue): return .devices(devices(in: line))
      case Int(CGPSD_DEVICE.rawValue): return deviceInfo().map { .device($0) } ?? .other
      case Int(CGPSD_WATCH.rawValue): return .watching
      case Int(CGPSD_TPV.rawValue): return .messages([.position(position())], device: device)
      case Int(CGPSD_SKY.rawValue): return .messages(sky(), device: device)
      case Int(CGPSD_ERROR.rawValue): return .error(Self.text(report.message) ?? "")
      default: return .other
      }
    }

    private var device: String { Self.text(report.device) ?? "" }

    private func devices(in line: [UInt8]) -> [GPSDDevice] {
      GPSDObjects.inner(of: line).compactMap { object in
        if case .device(let device)? = parse(Array(object)) { device } else { nil }
      }
    }

    private func deviceInfo() -> GPSDDevice? {
      guard let path = Self.text(report.info.path) else { return nil }
      let known = GPSDDevice(
        path: path, driver: Self.text(report.info.driver),
        subtype: Self.text(report.info.subtype1) ?? Self.text(report.info.subtype),
        isActivated: report.info.is_activated)
      if let driver = known.driver, drivers.count < 64 { drivers[path] = driver }
      return known
    }

    private func position() -> GPSDPosition {
      var position = GPSDPosition(mode: GPSDPosition.Mode(rawValue: Int(report.mode)) ?? .unknown)
      position.status = GPSDPosition.Status(rawValue: Int(report.status)) ?? .unknown
      position.errorMeaning = drivers[device] == "u-blox" ? .oneSigma : .scaledDilution
      position.time = time
      position.latitude = Self.number(report.latitude, in: -90...90)
      position.longitude = Self.number(report.longitude, in: -180...180)
      position.altHAE = Self.number(report.alt_hae)
      position.altMSL = Self.number(report.alt_msl)
      position.speed = Self.number(report.speed, in: 0...100_000)
      position.track = Self.number(report.track, in: 0...360)
      position.eph = Self.number(report.eph)
      position.epv = Self.number(report.epv)
      position.eps = Self.number(report.eps)
      return position
    }

    private func sky() -> [GPSDMessage] {
      var head = GPSDSky()
      head.time = time
      head.hdop = Self.number(report.hdop)
      head.vdop = Self.number(report.vdop)
      head.pdop = Self.number(report.pdop)
      var satellites: [GPSDMessage] = []
      var used = 0
      let count = Int(report.satellite_count)
      unsafe withUnsafeBytes(of: &report.satellites) { bytes in
        let all = unsafe bytes.bindMemory(to: cgpsd_satellite.self)
        for index in 0..<min(count, all.count) {
          let satellite = unsafe all[index]
          let constellation = Constellation(rawValue: satellite.gnss)
          let id = constellation.flatMap { satellite.number > 0 ? SatelliteID($0, satellite.number) : nil }
          let signal = Self.number(satellite.signal, in: 0...254) ?? 0
          used += satellite.is_used ? 1 : 0
          var taken = GPSDSatellite(id: id, signalDecibelHertz: UInt8(signal), isUsed: satellite.is_used)
          taken.elevationDegrees = Self.number(satellite.elevation, in: -90...90).map { Int8($0.rounded()) }
          taken.azimuthDegrees = Self.number(satellite.azimuth, in: 0...360).map { Int16($0.rounded()) }
          taken.isHealthy = satellite.health == 1 ? true : satellite.health == 2 ? false : nil
          satellites.append(.satellite(taken))
        }
      }
      if !satellites.isEmpty { head.used = used }
      return [.sky(head)] + satellites
    }

    private var time: GNSSTime? {
      // Within the range of nanoseconds in 64 bits.
      guard report.has_time, (0..<9_000_000_000).contains(report.seconds),
        (0..<1_000_000_000).contains(report.nanoseconds)
      else { return nil }
      return GNSSTime(nanosecondsSince1970: report.seconds * 1_000_000_000 + report.nanoseconds)
    }

    private static func number(
      _ value: Double, in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) -> Double? { range.contains(value) ? value : nil }

    /// A C string; `nil` if it is empty. Only printable ASCII is kept, because devices and remote gpsds are not trusted.
    private static func text<T>(_ field: T) -> String? {
      unsafe withUnsafeBytes(of: field) { bytes in
        let printable = unsafe bytes.prefix { $0 != 0 }.filter { (0x20..<0x7F).contains($0) }
        return printable.isEmpty ? nil : String(decoding: printable, as: UTF8.self)
      }
    }
  }
#endif
