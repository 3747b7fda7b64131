import FuzzDriver
import Geodesy
import LocationStore

/// Any bytes as a segment's header and its blocks, with a right checksum over each: what is read has a place, and, written
/// again, is read as the same.
private func check(_ bytes: [UInt8]) {
  var header: SegmentHeader?
  if bytes.count >= SegmentHeader.size { header = SegmentHeader(sealedHeader(bytes).span) }
  if let header { precondition(SegmentHeader(header.bytes.span) == header, "wrote another header than was read") }

  let decoder = TrackBlockDecoder(segment: 7, sources: header?.sources ?? [TrackSource(device: "d", receiver: "r")])
  var entries: [TrackEntry] = []
  for (index, start) in stride(from: 0, to: bytes.count, by: TrackBlock.size).enumerated() {
    let block = Array(bytes[start...].prefix(TrackBlock.size))
    let whole = block + [UInt8](repeating: 0, count: TrackBlock.size - block.count)
    let sealed = TrackBlock.sealed(whole, segment: 7, index: UInt32(index))
    if let told = try? decoder.entries(sealed.span, index: UInt32(index)) { entries += told }
  }
  checkPlaces(entries)
  var packer = TrackPacker(segment: 7)
  let again = packer.blocks(of: entries).enumerated().flatMap { index, block -> [TrackEntry] in
    guard
      let told = try? TrackBlockDecoder(segment: 7, sources: packer.sources).entries(block.span, index: UInt32(index))
    else { preconditionFailure("wrote what cannot be read") }
    return told
  }
  precondition(again == entries, "wrote something else than was read")
}

private func sealedHeader(_ bytes: [UInt8]) -> [UInt8] { SegmentHeader.sealed(Array(bytes[..<SegmentHeader.size])) }

private func checkPlaces(_ entries: [TrackEntry]) {
  for case .fix(let fix) in entries {
    let (latitude, longitude) = (fix.coordinate.latitude.degrees, fix.coordinate.longitude.degrees)
    precondition(Coordinate(checkingLatitude: latitude, longitude: longitude) != nil, "no place on Earth")
    precondition(fix.horizontalRadius68.value > 0 && fix.horizontalRadius68.value.isFinite, "no radius")
    precondition((0..<360).contains(fix.course?.degrees ?? 0), "no course")
    precondition(fix.speedMetersPerSecond ?? 0 >= 0, "a negative speed")
  }
}

fuzz(check)
