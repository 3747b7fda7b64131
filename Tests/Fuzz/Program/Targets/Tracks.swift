import Geodesy
import LocationStore

/// Any bytes as a segment's header and its blocks, with a correct checksum over each: everything that is read has a position and,
/// written again, is read as the same.
func checkTracks(_ bytes: [UInt8]) {
  var header: SegmentHeader?
  if bytes.count >= SegmentHeader.size { header = SegmentHeader(sealedHeader(bytes).span) }
  if let header { precondition(SegmentHeader(header.bytes.span) == header, "wrote another header than was read") }

  let decoder = TrackBlockDecoder(segment: 7, sources: header?.sources ?? [TrackSource(device: "d", receiver: "r")])
  var entries: [TrackEntry] = []
  for (index, start) in stride(from: 0, to: bytes.count, by: TrackBlock.size).enumerated() {
    let block = Array(bytes[start...].prefix(TrackBlock.size))
    let whole = block + [UInt8](repeating: 0, count: TrackBlock.size - block.count)
    let sealed = TrackBlock.sealed(whole, segment: 7, index: UInt32(index))
    if let reported = try? decoder.entries(sealed.span, index: UInt32(index)) { entries += reported }
  }
  checkPlaces(entries)
  checkSealed(bytes)
  var packer = TrackPacker(segment: 7)
  let again = packer.blocks(of: entries).enumerated().flatMap { index, block -> [TrackEntry] in
    guard
      let reported = try? TrackBlockDecoder(segment: 7, sources: packer.sources).entries(
        block.span, index: UInt32(index))
    else { preconditionFailure("wrote what cannot be read") }
    return reported
  }
  precondition(again == entries, "wrote something else than was read")
}

/// The same blocks encrypted: their owner reads the content of an unencrypted track. Any bytes as an encrypted segment contain
/// nothing.
private func checkSealed(_ bytes: [UInt8]) {
  guard let owner = Harness.owner, var packer = EncryptedBlockPacker(owner: owner, sources: [Harness.source]) else {
    preconditionFailure("the key is none")
  }
  let decoder = TrackBlockDecoder(segment: 7, sources: [Harness.source])
  var opener = EncryptedTrackDecryptor(key: owner)
  func reported(_ piece: EncryptedPiece) -> [TrackEntry] { (try? opener.decrypt(piece)) ?? [] }
  precondition(reported(packer.start).isEmpty, "a header tells no fix")
  // If a block cannot be read, a gap is reported before the first fix of the next block.
  for (number, start) in stride(from: 0, to: bytes.count, by: TrackBlock.size).enumerated() {
    let block = Array(bytes[start...].prefix(TrackBlock.size))
    let (sealed, open) = packer.block(block + [UInt8](repeating: 0, count: TrackBlock.size - block.count))
    let entries = reported(sealed)
    let whole = TrackBlock.sealed(open, segment: 7, index: UInt32(number))
    let expected = (try? decoder.entries(whole.span, index: UInt32(number))) ?? []
    let isAfterGap = entries.count == expected.count + 1 && entries.first == .interruption(.gap)
    precondition(
      entries == expected || (isAfterGap && Array(entries.dropFirst()) == expected), "sealed, it tells another track")
  }
  precondition(reported(.blocks(at: 4, bytes)).isEmpty, "what nobody has sealed is told")
  if bytes.count >= SegmentHeader.size {
    _ = reported(.segment(sealedHeader(bytes)))
    _ = reported(.blocks(at: UInt32(bytes[0]), bytes))
  }
}

/// The harness's own values, which are constant so that a finding can be reproduced.
private enum Harness {
  static let source = TrackSource(device: "d", receiver: "r")
  static var owner: OwnerKey? {
    try? OwnerKey("sealsecret1aebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4qhuxwv")
  }
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
