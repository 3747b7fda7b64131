import Geodesy

/// A UBX payload whose numbers are changed in place: little endian, at offsets that the caller has checked.
struct PayloadEditor {
  var bytes: [UInt8]

  func u1(_ offset: Int) -> UInt8 { bytes[offset] }
  func i1(_ offset: Int) -> Int8 { Int8(bitPattern: bytes[offset]) }
  func i2(_ offset: Int) -> Int16 { Int16(bitPattern: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8) }
  func u4(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) } }
  func i4(_ offset: Int) -> Int32 { Int32(bitPattern: u4(offset)) }
  func r4(_ offset: Int) -> Double { Double(Float(bitPattern: u4(offset))) }

  mutating func put(_ value: UInt32, _ offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  /// Writes the nearest representable number.
  mutating func putI4(_ value: Double, _ offset: Int) {
    let bounded = min(max(value.rounded(), Double(Int32.min)), Double(Int32.max))
    put(UInt32(bitPattern: value.isFinite ? Int32(bounded) : 0), offset)
  }

  mutating func putI2(_ value: Int, _ offset: Int) {
    let bits = UInt16(bitPattern: Int16(clamping: value))
    bytes[offset] = UInt8(truncatingIfNeeded: bits)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: bits >> 8)
  }

  mutating func putR4(_ value: Double, _ offset: Int) { put(Float(value).bitPattern, offset) }

  mutating func clear(_ range: Range<Int>) { for offset in range { bytes[offset] = 0 } }
}

/// Points and vectors in the earth's own Cartesian axes (ECEF, WGS 84).
enum EarthCentered {
  typealias Vector = (x: Double, y: Double, z: Double)

  /// The coordinate and the height of a point, meters; `nil` if it is not between 1,000 and 100,000 km from the earth's
  /// center.
  static func place(_ point: Vector, on ellipsoid: Ellipsoid = .wgs84) -> (coordinate: Coordinate, height: Double)? {
    let p = Math.hypot(point.x, point.y)
    guard Math.hypot(p, point.z) > 1_000_000, Math.hypot(p, point.z) < 100_000_000 else { return nil }
    let (a, b) = (ellipsoid.equatorialRadius, ellipsoid.polarRadius)
    // B. R. Bowring, "Transformation from spatial to geographical coordinates", Survey Review 23 (1976), with three
    // iterations: the error is below a nanometer near the ground.
    var reduced = Math.atan2(point.z * a, p * b)
    var latitude = 0.0
    for _ in 0..<3 {
      let (sine, cosine) = (Math.sin(reduced), Math.cos(reduced))
      latitude = Math.atan2(
        point.z + ellipsoid.secondEccentricitySquared * b * sine * sine * sine,
        p - ellipsoid.eccentricitySquared * a * cosine * cosine * cosine)
      reduced = Math.atan2(b * Math.sin(latitude), a * Math.cos(latitude))
    }
    let (sine, cosine) = (Math.sin(latitude), Math.cos(latitude))
    let vertical = ellipsoid.primeVerticalRadius(at: Angle(radians: latitude))
    let height = p * cosine + point.z * sine - a * a / vertical
    return (
      Coordinate(latitude: Angle(radians: latitude), longitude: Angle(radians: Math.atan2(point.y, point.x))), height
    )
  }

  /// The point at a coordinate, meters.
  static func point(_ place: Coordinate, height: Double, on ellipsoid: Ellipsoid = .wgs84) -> Vector {
    let vertical = ellipsoid.primeVerticalRadius(at: place.latitude)
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let across = (vertical + height) * Math.cos(φ)
    return (
      across * Math.cos(λ), across * Math.sin(λ),
      (vertical * (1 - ellipsoid.eccentricitySquared) + height) * Math.sin(φ)
    )
  }

  /// A vector at a coordinate, in north, east and up components.
  static func local(_ vector: Vector, at place: Coordinate) -> (north: Double, east: Double, up: Double) {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let across = Math.cos(λ) * vector.x + Math.sin(λ) * vector.y
    return (
      -Math.sin(φ) * across + Math.cos(φ) * vector.z, -Math.sin(λ) * vector.x + Math.cos(λ) * vector.y,
      Math.cos(φ) * across + Math.sin(φ) * vector.z
    )
  }

  /// The vector with these components at a coordinate.
  static func vector(north: Double, east: Double, up: Double, at place: Coordinate) -> Vector {
    let (φ, λ) = (place.latitude.radians, place.longitude.radians)
    let across = -Math.sin(φ) * north + Math.cos(φ) * up
    return (
      Math.cos(λ) * across - Math.sin(λ) * east, Math.sin(λ) * across + Math.cos(λ) * east,
      Math.cos(φ) * north + Math.sin(φ) * up
    )
  }
}
