/// A point of the earth-centred frame in whole 256ths of a metre, 12 bytes: each coordinate is at most 2 mm off.
struct GridPoint: Hashable, Sendable {
  var x: Int32
  var y: Int32
  var z: Int32

  /// To a metre. The earth fits: 6,378,137 × 256 < 2³¹.
  static let perMeter = 256.0
  /// How far the distance of two such points may be from that of what they stand for: √3 of a unit, with some room.
  static let slackMeters = 0.008

  init(x: Int32, y: Int32, z: Int32) { (self.x, self.y, self.z) = (x, y, z) }

  init(_ point: SIMD3<Double>) {
    let scaled = (point * Self.perMeter).rounded(.toNearestOrEven)
    (x, y, z) = (Int32(scaled.x), Int32(scaled.y), Int32(scaled.z))
  }

  /// Its place on a curve through all cubes of an octree (Morton's), to 8 m: neighbours mostly have neighbouring places.
  var curveKey: UInt64 { Self.spread(x) | Self.spread(y) << 1 | Self.spread(z) << 2 }

  /// The upper 21 bits with two zeros after each.
  private static func spread(_ value: Int32) -> UInt64 {
    var bits = UInt64(UInt32(bitPattern: value) ^ 0x8000_0000) >> 11
    bits = (bits | bits << 32) & 0x1F_0000_0000_FFFF
    bits = (bits | bits << 16) & 0x1F_0000_FF00_00FF
    bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F
    bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3
    return (bits | bits << 2) & 0x1249_2492_4924_9249
  }

  /// In units.
  @inline(__always) var values: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
