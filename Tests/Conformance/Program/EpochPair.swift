/// An epoch as reported by gpsd and by this package; one of the two may be absent.
struct EpochPair {
  /// A list of satellites as gpsd reports it, and as this package decodes it from the same messages.
  struct Sky {
    let expected: [ExpectedReport.Satellite]
    let played: [PlayedMessage.Satellite]

    /// Whether the list shows which satellites are used.
    var marksUsed: Bool { played.contains { $0.isUsed != nil } }
  }

  var expected: ExpectedReport?
  var played: Playback.Epoch?
  var skies: [Sky] = []
  /// All numbers of used satellites that gpsd reports while it processes the epoch's messages.
  var used: Set<Int> = []
}
