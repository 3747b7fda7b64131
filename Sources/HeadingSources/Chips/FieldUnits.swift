/// Finds the power of ten by which the values of a magnetometer must be multiplied to be µT.
///
/// Drivers of the kernel report wrong scales (the one of the HMC5883L is 100 times too small), and descriptors of HID sensors leave
/// the unit open. The Earth's field decides: its intensity is 22 to 67 µT everywhere, and neighboring powers of ten are apart
/// by more than that.
package enum FieldUnits {
  /// Readings needed for a decision.
  package static let minimumReadings = 5
  private static let powers = -6...9

  /// The factor, or `nil` if there are too few readings, or if no power of ten makes them the Earth's field. `readings` are the
  /// distances of readings from the offset, or the readings themselves, in the unit that the driver states; `expected` is F of
  /// the magnetic model.
  package static func factor(readings: [Double], expectedMicrotesla: Double) -> Double? {
    let sorted = readings.filter { $0.isFinite && $0 > 0 }.sorted()
    guard sorted.count >= minimumReadings, expectedMicrotesla > 0 else { return nil }
    let median = sorted[sorted.count / 2]
    let factors = powers.map { power in
      (0..<power.magnitude).reduce(1.0) { value, _ in power < 0 ? value / 10 : value * 10 }
    }
    // √10 on both sides: every value belongs to one power, and the owner's magnets change the intensity.
    return factors.first { (0.32..<3.2).contains(median * $0 / expectedMicrotesla) }
  }
}
