/// A magnetometer at an I2C bus: how it is recognized, set up and read, as a table of registers.
///
/// Only SMBus transfers are needed: bytes, and blocks of up to 32 bytes. Recognition reads and never writes.
package struct MagnetometerChip: Hashable, Sendable {
  /// The name on its package.
  package let name: String
  /// Addresses at which it can be, 7 bits.
  package let addresses: [UInt8]
  /// Registers with fixed content; all of them must match.
  package let identity: [RegisterValue]
  /// Written in this order before the first reading: continuous measurements at 10 Hz or a little more.
  package let setup: [RegisterValue]
  /// Written in this order when the last user leaves: the chip measures nothing.
  package let standby: [RegisterValue]
  /// The first register of a reading, and the number of bytes.
  package let block: (register: UInt8, count: UInt8)
  /// What the bytes of a reading mean.
  let layout: Layout

  /// A register and its content.
  package struct RegisterValue: Hashable, Sendable {
    package let register: UInt8
    package let value: UInt8

    init(_ register: UInt8, _ value: UInt8) {
      self.register = register
      self.value = value
    }
  }

  /// What the bytes of a reading mean.
  enum Layout: Hashable, Sendable {
    /// Three signed integers of 16 bits, little endian, at `offset`; `microteslaPerCount`; a bit that reports an overflow.
    case little16(offset: Int, microteslaPerCount: Double, overflow: StatusBit?)
    /// Three signed integers of 16 bits, big endian, in the order x, z, y; −4096 is an overflow (HMC5883L).
    case big16XZY(microteslaPerCount: Double)
    /// Three unsigned integers of 20 bits around 2¹⁹, their lowest 4 bits in the bytes 6 to 8 (MMC5603).
    case offset20(microteslaPerCount: Double)
  }

  /// A bit of a byte of a reading.
  struct StatusBit: Hashable, Sendable {
    let index: Int
    let mask: UInt8
  }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The field in a reading, µT along the axes printed on the chip; `nil` if the reading is too short or beyond the range.
  ///
  /// `sensitivity` is the factor of each axis that is stored in the chip, 1 for chips without it.
  package func microtesla(
    in bytes: Span<UInt8>, sensitivity: SIMD3<Double> = SIMD3(repeating: 1)
  ) -> SIMD3<Double>? {
    guard bytes.count >= Int(block.count) else { return nil }
    switch layout {
    case .little16(let offset, let scale, let overflow):
      if let overflow, bytes[overflow.index] & overflow.mask != 0 { return nil }
      let counts = SIMD3(
        Self.signed(bytes[offset + 1], bytes[offset]), Self.signed(bytes[offset + 3], bytes[offset + 2]),
        Self.signed(bytes[offset + 5], bytes[offset + 4]))
      return counts * sensitivity * scale
    case .big16XZY(let scale):
      let counts = SIMD3(
        Self.signed(bytes[0], bytes[1]), Self.signed(bytes[4], bytes[5]), Self.signed(bytes[2], bytes[3]))
      return counts.min() <= -4096 ? nil : counts * scale
    case .offset20(let scale):
      var counts = SIMD3<Double>.zero
      for axis in 0..<3 {
        let value =
          UInt32(bytes[2 * axis]) << 12 | UInt32(bytes[2 * axis + 1]) << 4 | UInt32(bytes[6 + axis]) >> 4
        guard value != 0, value != 0xF_FFFF else { return nil }
        counts[axis] = Double(value) - 524_288
      }
      return counts * scale
    }
  }

  private static func signed(_ high: UInt8, _ low: UInt8) -> Double {
    Double(Int16(bitPattern: UInt16(high) << 8 | UInt16(low)))
  }
}
