import Geodesy
import WireFormats

/// ```
/// 0   address, 6 bytes, the most significant first, so that records sort by their bytes
/// 6   version and state: 0x20 resident, 0x21 doubted, 0x22 traveling
/// 7   days at its place
/// 8   latitude and longitude, 10⁻⁷ degrees, 4 bytes each
/// 16  from there to the mean place of its observations, east and north, decimeters, 2 bytes each
/// 20  covariance, three numbers of 4 bytes each (IEEE 754)
/// 32  observations, 2 bytes
/// 34  first day, 36 last day, 2 bytes each
/// 38  moves
/// 39  elsewhere: observations
/// 40  elsewhere: latitude and longitude, 10⁻⁷ degrees, 4 bytes each
/// 48  elsewhere: first day, or the day since which it travels, 2 bytes
/// 50  the lower half of the CRC-32C of all bytes before
/// ```
/// The first version had 0x10 to 0x12 in byte 6, the weight at 16 and the scatter of the observations at 20: it can still be
/// read.
///
/// Integers except the address are little-endian; fields that a state does not use are zero.
extension AccessPointRecord {
  /// Size of a stored record, bytes.
  package static let size = 52

  /// The stored form: positions to a centimeter, variances to seven digits.
  package var bytes: [UInt8] {
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: bssid.rawValue >> UInt64(40 - 8 * $0)) }
    func add(_ value: some FixedWidthInteger) {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    func add(_ place: Coordinate) {
      add(Int32((place.latitude.degrees * 1e7).rounded()))
      add(Int32((place.longitude.degrees * 1e7).rounded()))
    }
    var (tag, elsewhere, since) = (UInt8(0x20), nil as AlternativePosition?, 0)
    switch state {
    case .resident: break
    case .doubted(let other): (tag, elsewhere, since) = (0x21, other, other.day)
    case .travelling(let day): (tag, since) = (0x22, day)
    }
    bytes += [tag, UInt8(clamping: days)]
    add(coordinate)
    let received = LocalFrame(origin: coordinate).offset(of: receivedAround)
    for meters in [received.eastMeters, received.northMeters] {
      add(Int16(max(-32_767, min(32_767, (10 * meters).rounded()))))
    }
    for number in [covariance.x, covariance.y, covariance.z] { add(Float(number).bitPattern) }
    add(UInt16(clamping: count))
    add(UInt16(clamping: firstDay))
    add(UInt16(clamping: lastDay))
    bytes += [UInt8(clamping: moves), UInt8(clamping: elsewhere?.count ?? 0)]
    add(elsewhere?.coordinate ?? Coordinate(latitude: Angle(degrees: 0), longitude: Angle(degrees: 0)))
    add(UInt16(clamping: since))
    add(UInt16(truncatingIfNeeded: CRC32C.of(bytes)))
    return bytes
  }

  /// Decodes a stored record of either version; `nil` if it is malformed.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let copy = bytes.indices.map { bytes[$0] }
    func integer(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(copy[offset + $1]) << (8 * $1) }
    }
    func place(_ offset: Int) -> Coordinate? {
      func degrees(_ offset: Int) -> Double { Double(Int32(truncatingIfNeeded: integer(offset, 4))) / 1e7 }
      return Coordinate(checkingLatitude: degrees(offset), longitude: degrees(offset + 4))
    }
    func number(_ offset: Int) -> Double { Double(Float(bitPattern: UInt32(integer(offset, 4)))) }
    let checksum = UInt16(truncatingIfNeeded: CRC32C.of(copy[..<50]))
    let moments = SIMD3(number(20), number(24), number(28))
    guard integer(50, 2) == Int(checksum), let bssid = BSSID(bytes.extracting(0..<6)), let coordinate = place(8),
      let there = place(40), integer(32, 2) > 0, copy[7] > 0,
      let covariance = copy[6] >> 4 == 1
        ? Self.covariance(ofScatter: moments, count: integer(32, 2), days: Int(copy[7])) : moments,
      Self.isCovariance(covariance)
    else { return nil }
    self.init(
      bssid: bssid, coordinate: coordinate, covariance: covariance, firstDay: integer(34, 2), lastDay: integer(36, 2))
    count = integer(32, 2)
    days = Int(copy[7])
    if copy[6] >> 4 == 2 {
      func meters(_ offset: Int) -> Double { Double(Int16(truncatingIfNeeded: integer(offset, 2))) / 10 }
      receivedAround = LocalFrame(origin: coordinate).coordinate(
        at: .init(eastMeters: meters(16), northMeters: meters(18)))
    }
    moves = Int(copy[38])
    switch copy[6] {
    case 0x10, 0x20: state = .resident
    case 0x11 where copy[39] > 0, 0x21 where copy[39] > 0:
      state = .doubted(AlternativePosition(coordinate: there, count: Int(copy[39]), day: integer(48, 2)))
    case 0x12, 0x22: state = .travelling(since: integer(48, 2))
    default: return nil
    }
  }

  private static func isCovariance(_ moments: SIMD3<Double>) -> Bool {
    moments.x > 0 && moments.x.isFinite && moments.z.isFinite && moments.x * moments.z > moments.y * moments.y
  }

  /// The position variance for a record of the first version, whose position was the mean of its observations. It is
  /// the sum of three parts: the scatter of the observations, with two of 60 m added, divided by a 2.5th of their
  /// number, at most by ten; the error that all observations of one day share; and the width of a street.
  private static func covariance(ofScatter scatter: SIMD3<Double>, count: Int, days: Int) -> SIMD3<Double>? {
    guard scatter.x >= 0, scatter.z >= 0 else { return nil }
    let independent = min(10, Double(count) / 2.5)
    let byDay = 100 / Double(days) / WiFiSolver.radiusOfDeviation
    let variance = ((scatter.x + scatter.z) / 2 + 7200 / Double(count)) / independent + byDay * byDay + 400
    return SIMD3(variance, 0, variance)
  }
}
