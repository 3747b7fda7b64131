/// An epoch of a log with everything that a condition may examine.
struct EpochContext {
  let log: ReceiverLog
  let playback: Playback
  let pairs: [EpochPair]
  let index: Int
  /// The messages that gpsd has passed on.
  let passedOn: Set<Int>

  var pair: EpochPair { pairs[index] }
  /// The messages of this package's epoch.
  var messages: ArraySlice<PlayedMessage> { playback.messages[pair.played?.messages ?? 0..<0] }

  /// Those messages, and some before and after them.
  var neighbourhood: ArraySlice<PlayedMessage> {
    guard let range = pair.played?.messages else { return [] }
    return playback.messages[max(0, range.lowerBound - 40)..<min(playback.messages.count, range.upperBound + 40)]
  }

  /// Of these messages, those with the time of this package's epoch, within the hundredth of a second by which the times of one
  /// epoch may differ.
  var sameTime: [PlayedMessage] {
    let times = pair.played?.timesOfDay ?? []
    return neighbourhood.filter { message in
      playback.timeOfDay(message).map { time in times.contains { abs($0 - time) <= 10 } } ?? false
    }
  }

  /// The dimensions in the last GSA before the epoch's end.
  var heldDimensions: Int? {
    playback.messages.prefix(pair.played?.messages.upperBound ?? 0).last { $0.dimensions != nil }?.dimensions
  }

  /// gpsd has passed on sentences of this package's epoch.
  var isHeardByGPSD: Bool { pair.played.map { epoch in passedOn.contains { epoch.messages.contains($0) } } ?? false }

  /// A sentence of the log was cut off among the messages of this package's epoch.
  var hasBrokenLine: Bool {
    pair.played.map { epoch in playback.broken.contains { epoch.messages.contains($0) } } ?? false
  }

  /// How many milliseconds gpsd is ahead of this package.
  var ahead: Int? {
    guard let theirs = pair.expected?.time, let ours = pair.played?.fix?.milliseconds else { return nil }
    return theirs - ours
  }
}
