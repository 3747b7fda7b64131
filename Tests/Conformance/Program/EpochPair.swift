/// An epoch as gpsd reports it and as we do; one of the two may be lacking.
struct EpochPair {
  /// A list of satellites as gpsd tells it, and as we decode it from the same messages.
  struct Sky {
    let expected: [ExpectedReport.Satellite]
    let played: [PlayedMessage.Satellite]

    /// Whether the list tells which satellites are used.
    var marksUsed: Bool { played.contains { $0.isUsed != nil } }
  }

  var expected: ExpectedReport?
  var played: Playback.Epoch?
  var skies: [Sky] = []
  /// All numbers of satellites used that gpsd tells while it goes through the epoch's messages.
  var used: Set<Int> = []
}
