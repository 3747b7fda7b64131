/// An epoch as gpsd reports it and as we do; one of the two may be lacking.
struct EpochPair {
  var expected: ExpectedReport?
  var played: Playback.Epoch?
  /// Lists of satellites as gpsd tells them, and as we decode them from the same messages.
  var skies: [(expected: [ExpectedReport.Satellite], played: [PlayedMessage.Satellite])] = []
}
