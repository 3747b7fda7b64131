import Geodesy

/// Learns how long a slow line takes to transfer an epoch, and computes how long bytes may stay unread before the epoch can
/// end. Reading them in a few large pieces costs a fraction of waking up for every few bytes.
struct ArrivalTiming: Sendable {
  /// The silence between the bytes of two epochs; adapters make gaps of up to 16 ms within one epoch.
  static let pauseBetweenEpochs: Duration = .milliseconds(30)
  /// Complete epochs to observe before any bytes are left unread.
  static let epochsToLearn = 4
  /// Number of past epochs that are kept: the fastest one counts.
  static let epochsToRemember = 8
  /// Reading starts this many bytes before the earliest end observed: neither the line nor this machine is perfectly regular.
  static let bytesBeforeEnd = 48
  /// The largest number of bytes left unread: the kernel buffers 4095 bytes of a terminal.
  static let mostBytesLeft = 2048
  /// A shorter rest costs more than it saves.
  static let shortestRest: Duration = .milliseconds(5)

  /// The transfer of one epoch over the line.
  private struct Transfer {
    var time: Duration
    var bytes: Int
  }

  /// The bytes since the last silence.
  private struct Burst {
    var began: Instant
    var bytes: Int
    /// The transfer up to the message that completed the epoch; `nil` before that message.
    var epoch: Transfer?
  }

  private var burst: Burst?
  private var passages: [Transfer] = []
  private var lastReceived: Instant
  /// Whether incoming bytes are left unread, so that silence means nothing.
  private(set) var isResting = false

  /// The timing of a port that has just been opened, with nothing learned yet.
  init(at now: Instant) { lastReceived = now }

  /// Call when bytes have arrived, before their messages are handled.
  mutating func received(_ count: Int, at now: Instant) {
    if !isResting, now - lastReceived >= Self.pauseBetweenEpochs {
      learn()
      burst = Burst(began: now, bytes: 0)
    }
    burst?.bytes &+= count
    lastReceived = now
  }

  /// A message has completed the epoch.
  mutating func epochCompleted(at now: Instant) {
    guard let began = burst?.began, let bytes = burst?.bytes, burst?.epoch == nil else { return }
    burst?.epoch = Transfer(time: now - began, bytes: bytes)
    // The epoch had to wait for the end of a rest: the learned times are wrong.
    if isResting { passages.removeAll() }
  }

  /// Call after all received bytes are handled. Returns until when the next ones may stay unread; `nil`: read them at once.
  mutating func rest(at now: Instant) -> Instant? {
    isResting = false
    guard let burst, burst.epoch == nil, passages.count >= Self.epochsToLearn,
      let quickest = passages.min(by: { $0.time < $1.time }),
      let smallest = passages.min(by: { $0.bytes < $1.bytes })?.bytes, smallest > Self.bytesBeforeEnd
    else { return nil }
    // By time and by number of bytes, whichever comes first.
    let perByte = quickest.time / quickest.bytes
    let byTime = burst.began + quickest.time - perByte * Self.bytesBeforeEnd
    let byCount = now + perByte * (smallest - Self.bytesBeforeEnd - burst.bytes)
    let end = min(byTime, byCount, now + perByte * Self.mostBytesLeft)
    guard end - now >= Self.shortestRest else { return nil }
    isResting = true
    return end
  }

  private mutating func learn() {
    // An epoch that was completed by silence or by the next epoch does not show when it ended.
    guard let passage = burst?.epoch, passage.bytes > 0 else { return }
    if passages.count == Self.epochsToRemember { passages.removeFirst() }
    passages.append(passage)
  }
}

/// Detects that a receiver has fallen silent although its port reports no error, and when to reopen the port: flaky USB
/// adapters fall silent without an error.
struct ReceiverTimeout: Sendable {
  /// Fixes are reported as lost after a silence of three periods, but not before this time.
  static let shortestSilence: Duration = .seconds(3)
  /// Further silence after which the port is reopened.
  static let timeToReopen: Duration = .seconds(7)

  private(set) var isSilent = false
  private(set) var deadline: Instant

  /// A watch that starts at a valid frame.
  init(at now: Instant) { deadline = now + Self.shortestSilence }

  /// What the owner has to do.
  enum Verdict { case nothing, fellSilent, reopen }

  /// A valid frame was received; `period`: the time between epochs. Returns `true` if the receiver was silent before.
  mutating func received(period: Duration, at now: Instant) -> Bool {
    deadline = now + max(Self.shortestSilence, period * 3)
    defer { isSilent = false }
    return isSilent
  }

  /// Checks whether the deadline has passed.
  mutating func verdict(at now: Instant) -> Verdict {
    guard now >= deadline else { return .nothing }
    deadline = now + Self.timeToReopen
    guard !isSilent else { return .reopen }
    isSilent = true
    return .fellSilent
  }
}
