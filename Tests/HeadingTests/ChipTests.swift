import HeadingSources
import Testing

/// Readings as the data sheets describe them.
@Suite struct ChipTests {
  private func microtesla(_ chip: MagnetometerChip, _ bytes: [UInt8]) -> SIMD3<Double>? {
    chip.microtesla(in: bytes.span)
  }

  @Test func hmc5883lSendsXZY() throws {
    // 256, 100 and −400 counts along x, y and z, at 1090 counts per gauss.
    let field = try #require(microtesla(.hmc5883l, [0x01, 0x00, 0xFE, 0x70, 0x00, 0x64]))
    #expect((field - SIMD3(23.486, 9.174, -36.697)).max() < 0.001)
    #expect((field - SIMD3(23.486, 9.174, -36.697)).min() > -0.001)
    #expect(microtesla(.hmc5883l, [0x01, 0x00, 0xF0, 0x00, 0x00, 0x64]) == nil)
  }

  @Test func qmc5883lReportsAnOverflow() throws {
    let field = try #require(microtesla(.qmc5883l, [0x58, 0x02, 0xA8, 0xFD, 0xB0, 0x04, 0x01]))
    #expect(field == SIMD3(20, -20, 40))
    #expect(microtesla(.qmc5883l, [0x58, 0x02, 0xA8, 0xFD, 0xB0, 0x04, 0x03]) == nil)
  }

  @Test func qmc5883p() throws {
    let field = try #require(microtesla(.qmc5883p, [0xEE, 0x02, 0x12, 0xFD, 0xDC, 0x05, 0, 0, 0x01]))
    #expect(field == SIMD3(20, -20, 40))
    #expect(microtesla(.qmc5883p, [0xEE, 0x02, 0x12, 0xFD, 0xDC, 0x05, 0, 0, 0x02]) == nil)
  }

  @Test func lis3mdl() throws {
    let field = try #require(microtesla(.lis3mdl, [0xBA, 0x1A, 0x46, 0xE5, 0, 0]))
    #expect(field == SIMD3(100, -100, 0))
  }

  @Test func lis2mdl() throws {
    #expect(try #require(microtesla(.lis2mdl, [200, 0, 0x38, 0xFF, 0, 1])) == SIMD3(30, -30, 0.15 * 256))
  }

  @Test func mmc5603HasTwentyBits() throws {
    // 2¹⁹ is no field; 16,384 counts more are one gauss along x, one count more along z.
    let field = try #require(microtesla(.mmc5603, [0x84, 0x00, 0x80, 0x00, 0x80, 0x00, 0x00, 0x00, 0x10]))
    #expect(field.x == 100 && field.y == 0)
    #expect((field.z - 100 / 16384.0).magnitude < 1e-12)
    #expect(microtesla(.mmc5603, [0xFF, 0xFF, 0x80, 0x00, 0x80, 0x00, 0xF0, 0x00, 0x00]) == nil)
  }

  @Test func ak09916SkipsItsStatus() throws {
    let field = try #require(microtesla(.ak09916, [0x01, 200, 0, 0x38, 0xFF, 100, 0, 0, 0x00]))
    #expect(field == SIMD3(30, -30, 15))
    #expect(microtesla(.ak09916, [0x01, 200, 0, 0x38, 0xFF, 100, 0, 0, 0x08]) == nil)
  }

  @Test func ak8963HasASensitivity() throws {
    let fuses: [UInt8] = [128, 176, 0]
    let found = MagnetometerChip.ak8963Sensitivity(fuses.span)
    let sensitivity = try #require(found)
    #expect(sensitivity == SIMD3(1, 1.1875, 0.5))
    let bytes: [UInt8] = [0x01, 200, 0, 200, 0, 200, 0, 0x10]
    let field = MagnetometerChip.ak8963.microtesla(in: bytes.span, sensitivity: sensitivity)
    #expect(field == SIMD3(30, 35.625, 15))
  }

  @Test(arguments: MagnetometerChip.known) func shortReadings(chip: MagnetometerChip) {
    for count in 0..<Int(chip.block.count) {
      #expect(microtesla(chip, [UInt8](repeating: 0x40, count: count)) == nil)
    }
    #expect(chip.block.count <= 32)
  }

  /// Chips at one address differ in the content of a register.
  @Test func chipsAtOneAddressAreDistinguished() {
    #expect(MagnetometerChip.candidates(at: 0x1E).map(\.name) == ["HMC5883L", "LIS3MDL", "LIS2MDL"])
    #expect(MagnetometerChip.candidates(at: 0x0C).map(\.name) == ["AK8963", "AK09916"])
    #expect(MagnetometerChip.candidates(at: 0x50).isEmpty)
    for (index, chip) in MagnetometerChip.known.enumerated() {
      for other in MagnetometerChip.known[(index + 1)...] where !Set(chip.addresses).isDisjoint(with: other.addresses) {
        #expect(chip.identity != other.identity)
      }
    }
  }

  /// The kernel's hmc5843 driver: 0.0047 "gauss" in the scale of its readings for 0.47.
  @Test func aWrongScaleIsFound() {
    let tooSmall = [0.0046, 0.0047, 0.0048, 0.0047, 0.0049]
    #expect(FieldUnits.factor(readings: tooSmall, expectedMicrotesla: 48) == 10_000)
    #expect(FieldUnits.factor(readings: tooSmall.map { $0 * 10_000 }, expectedMicrotesla: 48) == 1)
    #expect(FieldUnits.factor(readings: tooSmall.map { $0 * 0.01 }, expectedMicrotesla: 48) == 1_000_000)
    #expect(FieldUnits.factor(readings: [48, 48], expectedMicrotesla: 48) == nil)
    #expect(FieldUnits.factor(readings: [0, .nan, 0, 0, 0, 0], expectedMicrotesla: 48) == nil)
  }
}
