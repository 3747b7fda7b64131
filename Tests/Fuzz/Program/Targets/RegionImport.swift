import Geodesy
import Regions
import TrackFormats

private enum Outcome: Equatable {
  case regions([Region], RegionFileSummary)
  case refused(RegionImportError)
}

private let most = 500

private func outcome(_ bytes: [UInt8], pieces: Int) -> Outcome {
  var reading = RegionImport(defaultRadius: Meters(100), mostRegions: most)
  var regions: [Region] = []
  var offset = 0
  do throws(RegionImportError) {
    while offset < bytes.count {
      let end = min(bytes.count, offset + pieces)
      regions += try reading.receive(Array(bytes[offset..<end]).span)
      offset = end
    }
    regions += try reading.finish()
  } catch {
    return .refused(error)
  }
  return .regions(regions, reading.remarks)
}

/// Any bytes as a region file of another program: rejected, or regions with distinct names; and the same however the bytes are
/// cut.
func checkRegionImport(_ bytes: [UInt8]) {
  let whole = outcome(bytes, pieces: max(1, bytes.count))
  for pieces in [1, 61] { precondition(outcome(bytes, pieces: pieces) == whole, "pieces make a difference") }
  switch whole {
  case .regions(let regions, let remarks):
    precondition(regions.count <= most, "more than were asked for")
    precondition(Set(regions.map(\.identifier)).count == regions.count, "two of one name")
    precondition((remarks.leftOut > 0) == (remarks.firstLeftOut != nil), "left out without a reason")
    precondition(remarks.features > 0 || regions.isEmpty, "regions of no feature")
  case .refused(.notJSON(_, let place)), .refused(.notXML(let place)), .refused(.cutOff(let place)):
    precondition((0...bytes.count).contains(place.byte), "beyond the end")
    let lines = bytes.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    precondition((1...lines).contains(place.line), "a line that is not there")
  case .refused: break
  }
}
