extension MagnetometerChip {
  /// The chips on the boards that are sold for the Raspberry Pi, in the order in which an address is tried: chips with an
  /// identity of several registers first.
  package static let known = [hmc5883l, ak8963, ak09916, qmc5883p, lis3mdl, lis2mdl, mmc5603, qmc5883l]

  /// The known chips at an address.
  package static func candidates(at address: UInt8) -> [MagnetometerChip] {
    known.filter { $0.addresses.contains(address) }
  }

  /// Honeywell HMC5883L (data sheet 900405 rev. E, tables 2 to 20): 15 Hz, average of 8, ±1.3 G with 1090 counts per gauss.
  package static let hmc5883l = MagnetometerChip(
    name: "HMC5883L", addresses: [0x1E],
    identity: [RegisterValue(0x0A, 0x48), RegisterValue(0x0B, 0x34), RegisterValue(0x0C, 0x33)],
    setup: [RegisterValue(0x00, 0x70), RegisterValue(0x01, 0x20), RegisterValue(0x02, 0x00)],
    standby: [RegisterValue(0x02, 0x03)], block: (0x03, 6), layout: .big16XZY(microteslaPerCount: 100 / 1090.0))

  /// QST QMC5883L (data sheet 13-52-04 rev. A, section 9): 10 Hz, ±8 G with 3000 counts per gauss, set and reset period 1. Its
  /// identity register is 0xFF, which an absent register reads as well: it is the last candidate.
  package static let qmc5883l = MagnetometerChip(
    name: "QMC5883L", addresses: [0x0D], identity: [RegisterValue(0x0D, 0xFF)],
    setup: [RegisterValue(0x0B, 0x01), RegisterValue(0x09, 0x11)], standby: [RegisterValue(0x09, 0x00)],
    block: (0x00, 7),
    layout: .little16(offset: 0, microteslaPerCount: 100 / 3000.0, overflow: StatusBit(index: 6, mask: 0x02)))

  /// QST QMC5883P (data sheet 13-52-19 rev. C, section 9): 10 Hz, ±8 G with 3750 counts per gauss, set and reset on. Registers 1
  /// to 6 are the field, register 9 is the status.
  package static let qmc5883p = MagnetometerChip(
    name: "QMC5883P", addresses: [0x2C], identity: [RegisterValue(0x00, 0x80)],
    setup: [RegisterValue(0x29, 0x06), RegisterValue(0x0B, 0x08), RegisterValue(0x0A, 0x01)],
    standby: [RegisterValue(0x0A, 0x00)], block: (0x01, 9),
    layout: .little16(offset: 0, microteslaPerCount: 100 / 3750.0, overflow: StatusBit(index: 8, mask: 0x02)))

  /// ST LIS3MDL (DocID024204 rev. 6, section 7): 10 Hz, ultra-high performance, ±4 G with 6842 counts per gauss. Bit 7 of the
  /// register number makes it increment in a block.
  package static let lis3mdl = MagnetometerChip(
    name: "LIS3MDL", addresses: [0x1C, 0x1E], identity: [RegisterValue(0x0F, 0x3D)],
    setup: [
      RegisterValue(0x20, 0x70), RegisterValue(0x21, 0x00), RegisterValue(0x23, 0x0C), RegisterValue(0x22, 0x00),
    ],
    standby: [RegisterValue(0x22, 0x03)], block: (0xA8, 6),
    layout: .little16(offset: 0, microteslaPerCount: 100 / 6842.0, overflow: nil))

  /// ST LIS2MDL, also the magnetometer of the LSM303AGR (DocID030205 rev. 6, section 8): 10 Hz, temperature compensation, 1.5 mG
  /// per count, a block that is not updated while it is read.
  package static let lis2mdl = MagnetometerChip(
    name: "LIS2MDL", addresses: [0x1E], identity: [RegisterValue(0x4F, 0x40)],
    setup: [RegisterValue(0x60, 0x80), RegisterValue(0x62, 0x10)], standby: [RegisterValue(0x60, 0x83)],
    block: (0x68, 6), layout: .little16(offset: 0, microteslaPerCount: 0.15, overflow: nil))

  /// MEMSIC MMC5603NJ (data sheet rev. B, pages 9 to 13): 10 Hz with automatic set and reset, 20 bits with 16,384 counts per gauss.
  package static let mmc5603 = MagnetometerChip(
    name: "MMC5603", addresses: [0x30], identity: [RegisterValue(0x39, 0x10)],
    setup: [RegisterValue(0x1A, 0x0A), RegisterValue(0x1B, 0xA0), RegisterValue(0x1D, 0x10)],
    standby: [RegisterValue(0x1D, 0x00)], block: (0x00, 9), layout: .offset20(microteslaPerCount: 100 / 16384.0))

  /// AKM AK09916, also inside the ICM-20948 (data sheet 015007392-E-00, section 11): 10 Hz, 0.15 µT per count. The block ends with
  /// ST2, whose reading releases the next measurement.
  package static let ak09916 = MagnetometerChip(
    name: "AK09916", addresses: [0x0C], identity: [RegisterValue(0x00, 0x48), RegisterValue(0x01, 0x09)],
    setup: [RegisterValue(0x31, 0x02)], standby: [RegisterValue(0x31, 0x00)], block: (0x10, 9),
    layout: .little16(offset: 1, microteslaPerCount: 0.15, overflow: StatusBit(index: 8, mask: 0x08)))

  /// AKM AK8963, also inside the MPU-9250 (data sheet MS1356-E-02, section 8): 8 Hz, 16 bits, 0.15 µT per count, times the
  /// sensitivity that its registers 0x10 to 0x12 contain.
  package static let ak8963 = MagnetometerChip(
    name: "AK8963", addresses: [0x0C], identity: [RegisterValue(0x00, 0x48), RegisterValue(0x01, 0x9A)],
    setup: [RegisterValue(0x0A, 0x12)], standby: [RegisterValue(0x0A, 0x00)], block: (0x02, 8),
    layout: .little16(offset: 1, microteslaPerCount: 0.15, overflow: StatusBit(index: 7, mask: 0x08)))

  /// The sensitivity of an AK8963 from its registers 0x10 to 0x12, which can be read in its fuse mode only (section 8.3.11).
  package static func ak8963Sensitivity(_ bytes: Span<UInt8>) -> SIMD3<Double>? {
    guard bytes.count >= 3 else { return nil }
    return SIMD3(Double(bytes[0]), Double(bytes[1]), Double(bytes[2])) / 256 + 0.5
  }
}
