import Geodesy

/// Learns how long a slow line takes to carry an epoch, and says how long its bytes may lie before the epoch's end can
/// come: reading them in a few gulps costs a fraction of waking for every few bytes.
struct ArrivalRhythm: Sendable {
  /// A silence that parts one epoch's bytes from the next one's; adapters make gaps of up to 16 ms within one.
  static let pauseBetweenEpochs: Duration = .milliseconds(30)
  /// Epochs that must have been carried to the end before any is left lying.
  static let epochsToLearn = 4
  /// Epochs that are remembered: the quickest of them counts.
  static let epochsToRemember = 8
  /// Reading goes on so much before the earliest end that is remembered: the line and this machine are not that even.
  static let bytesBeforeEnd = 48
  /// More than that is not left lying: the kernel keeps 4095 bytes of a terminal.
  static let mostBytesLeft = 2048
  /// A shorter rest costs more than it saves.
  static let shortestRest: Duration = .milliseconds(5)

  /// An epoch's way through the line.
  private struct Passage {
    var time: Duration
    var bytes: Int
  }

  /// The bytes since the latest silence.
  private struct Burst {
    var began: Instant
    var bytes: Int
    /// As of the message that completed the epoch.
    var epoch: Passage?
  }

  private var burst: Burst?
  private var passages: [Passage] = []
  private var lastHeard: Instant
  /// Whether what comes is left lying, so that silence means nothing.
  private(set) var isResting = false

  /// A rhythm to be learnt, of a port that has just been opened.
  init(at now: Instant) { lastHeard = now }

  /// Bytes have come; before what they say is told.
  mutating func heard(_ count: Int, at now: Instant) {
    if !isResting, now - lastHeard >= Self.pauseBetweenEpochs {
      learn()
      burst = Burst(began: now, bytes: 0)
    }
    burst?.bytes &+= count
    lastHeard = now
  }

  /// A message has completed the epoch.
  mutating func epochCompleted(at now: Instant) {
    guard let began = burst?.began, let bytes = burst?.bytes, burst?.epoch == nil else { return }
    burst?.epoch = Passage(time: now - began, bytes: bytes)
    // It had to wait for the end of a rest: what was learnt is wrong.
    if isResting { passages.removeAll() }
  }

  /// All bytes that had come are told. Until when the next may lie; `nil`: they are wanted at once.
  mutating func rest(at now: Instant) -> Instant? {
    isResting = false
    guard let burst, burst.epoch == nil, passages.count >= Self.epochsToLearn,
      let quickest = passages.min(by: { $0.time < $1.time }),
      let smallest = passages.min(by: { $0.bytes < $1.bytes })?.bytes, smallest > Self.bytesBeforeEnd
    else { return nil }
    // By the clock and by the count, whichever comes first.
    let perByte = quickest.time / quickest.bytes
    let byTime = burst.began + quickest.time - perByte * Self.bytesBeforeEnd
    let byCount = now + perByte * (smallest - Self.bytesBeforeEnd - burst.bytes)
    let end = min(byTime, byCount, now + perByte * Self.mostBytesLeft)
    guard end - now >= Self.shortestRest else { return nil }
    isResting = true
    return end
  }

  private mutating func learn() {
    // An epoch that was completed by its silence, or by the next one, says nothing of its end.
    guard let passage = burst?.epoch, passage.bytes > 0 else { return }
    if passages.count == Self.epochsToRemember { passages.removeFirst() }
    passages.append(passage)
  }
}

/// Notices that a receiver has stopped talking though its port shows no error, and when to open the port anew: flaky USB
/// adapters fall silent without one.
struct SilenceWatch: Sendable {
  /// Silence after which fixes are called lost: three periods, at least this.
  static let shortestSilence: Duration = .seconds(3)
  /// Further silence after which the port is opened anew.
  static let timeToReopen: Duration = .seconds(7)

  private(set) var isSilent = false
  private(set) var deadline: Instant

  /// A watch that has just heard a valid frame.
  init(at now: Instant) { deadline = now + Self.shortestSilence }

  /// What is to be done.
  enum Verdict { case nothing, fellSilent, reopen }

  /// A valid frame came; `period`: how far apart epochs are. `true`: after a silence.
  mutating func heard(period: Duration, at now: Instant) -> Bool {
    deadline = now + max(Self.shortestSilence, period * 3)
    defer { isSilent = false }
    return isSilent
  }

  /// The deadline may have passed.
  mutating func verdict(at now: Instant) -> Verdict {
    guard now >= deadline else { return .nothing }
    deadline = now + Self.timeToReopen
    guard !isSilent else { return .reopen }
    isSilent = true
    return .fellSilent
  }
}
