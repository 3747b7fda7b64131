import Geodesy
import Regions

/// Any bytes as a file of regions, with a correct checksum: rejected, or regions each of which is found at its place, and which
/// are unchanged after they are written and read again.
func checkRegions(_ bytes: [UInt8]) {
  precondition((try? RegionFile.decode(bytes.span)) == nil || bytes.count >= 13, "too short")
  guard var monitor = try? RegionFile.decode(RegionFile.sealed(bytes).span) else { return }
  let written = RegionFile.encode(monitor)
  guard let again = try? RegionFile.decode(written.span) else { preconditionFailure("cannot be read again") }
  precondition(RegionFile.encode(again) == written, "wrote something else than was read")
  var index = RegionIndex()
  for entry in monitor.watched.prefix(40) {
    let slot = index.add(entry.region.shape)
    guard index.shape(of: slot) == entry.region.shape else { preconditionFailure("another shape") }
    if case .circle(let circle) = entry.region.shape {
      precondition(index.contains(slot, circle.center), "its middle is not in it")
      precondition(index.slots(containing: circle.center).contains(slot), "not found at its middle")
      let time = GNSSTime(nanosecondsSince1970: Int64(slot) * 60_000_000_000)
      let fix = PositionFix(
        time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: time.nanosecondsSince1970),
        coordinate: circle.center, horizontalRadius68: Meters(1), kind: .threeDimensional, technologies: .gnss)
      _ = monitor.handle(.fix(fix), at: fix.receivedAt)
    }
  }
  precondition(monitor.count == again.count, "fixes made regions")
}
