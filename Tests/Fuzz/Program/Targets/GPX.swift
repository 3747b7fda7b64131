import Geodesy
import TrackFormats

/// Any bytes as GPX: the reader rejects them, or returns a track that has positions for its own times, and only for those.
func checkGPX(_ bytes: [UInt8]) {
  var result = GPXReader.Result()
  do throws(GPXError) {
    try GPXReader.read(bytes, into: &result)
  } catch {
    return
  }
  guard let range = result.timeline.range else { return precondition(result.timeline.count == 0, "no times") }
  precondition(range.lowerBound <= range.upperBound, "backwards")
  let before = range.lowerBound + .seconds(-1)
  precondition(
    before == range.lowerBound || result.timeline.sample(at: before, within: .zero) == nil, "before it began")
  for time in [range.lowerBound, range.upperBound] {
    guard let sample = result.timeline.sample(at: time, within: .zero) else {
      preconditionFailure("nowhere at its end")
    }
    precondition((-90...90).contains(sample.coordinate.latitude.degrees), "no latitude")
  }
  let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
  _ = result.timeline.sample(at: middle, within: .seconds(3600))
}
