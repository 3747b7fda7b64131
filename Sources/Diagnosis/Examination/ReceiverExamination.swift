package import Geodesy
import WireFormats

/// Examines the data of one receiver for a diagnosis: what it sends, at which baud rate, and what the decoders understand of it.
/// Sends nothing.
package struct ReceiverExamination: Sendable {
  private let device: String
  /// The latest date that is certainly in the past.
  private let dateFloor: CalendarDate?
  private var decoder = WireDecoder()
  private var countersAtSpeed = DecodeCounters()
  private var sample = ByteSample()
  private var classification = ByteClassification.nothing
  private var bytes = 0
  private var speeds: [Int] = []
  private var firstByteAt: Instant?
  private var lastByteAt: Instant?
  private var openedAt: Instant
  private var sky = SkyEvidence()
  private var evidence = FixEvidence()
  private var output = OutputSignature()
  private var rate = OutputRate()
  private var hasVanished = false
  /// Set if the baud rate has changed since the current facts were collected.
  private var nextSpeed: NextBaudRate?
  private var timesVanished = 0
  private var latestFix: PositionFix?
  private var aheadOfClock: Duration?
  /// The quality flags of the latest fixes, newest last.
  private var qualityFlags: [FixQualityFlag?] = []
  private var positions: [Coordinate] = []

  private struct NextBaudRate: Sendable { var baud: Int? }

  /// More baud rates than are ever tried.
  private static let maximumSpeeds = 32
  private static let fixesRemembered = 4

  /// Starts an examination of `device`, whose port was opened now.
  package init(device: String, dateFloor: CalendarDate?, at now: Instant) {
    self.device = device
    self.dateFloor = dateFloor
    openedAt = now
  }

  /// The port is open, possibly reopened.
  package mutating func opened(speed: Int?, at now: Instant) {
    openedAt = now
    beginSpeed(speed)
  }

  /// The data that follows is received at another baud rate.
  package mutating func speedSet(_ speed: Int, at now: Instant) {
    // The port's initial baud rate was not used for listening.
    if now == openedAt, sample.count == 0, !speeds.isEmpty { speeds.removeLast() }
    beginSpeed(speed)
  }

  /// The device has disappeared, which closed the port.
  package mutating func vanished() {
    hasVanished = true
    timesVanished += 1
  }

  /// Receives data.
  package mutating func receive(_ chunk: Span<UInt8>, at now: Instant) {
    guard chunk.count > 0 else { return }
    hasVanished = false
    if let next = nextSpeed.take() { forget(startingAt: next.baud) }
    bytes += chunk.count
    firstByteAt = firstByteAt ?? now
    lastByteAt = now
    sample.add(chunk)
    var sky = sky
    var evidence = evidence
    var output = output
    var rate = rate
    decoder.push(
      chunk,
      withEnds: { message, end in
        rate.add(message, end: end)
        switch message {
        case .nmea(let sentence, let talker):
          if case .gsv(let gsv) = sentence { sky.add(gsv, from: talker) }
          evidence.add(sentence)
          output.add(sentence)
        case .ubx(let frame):
          switch frame {
          case .navSAT, .navSVINFO: sky.beginUBX()
          case .navSatellite(let satellite): sky.takeUBX(satellite)
          default: break
          }
          evidence.add(frame)
          output.add(frame)
        }
      })
    self.sky = sky
    self.evidence = evidence
    self.output = output
    self.rate = rate
  }

  /// Receives a fix of the service.
  ///
  /// - Parameter clock: the time of this machine's clock when the fix arrived; `nil` if the clock is not set.
  package mutating func add(_ fix: PositionFix, clock: GNSSTime?) {
    latestFix = fix
    Self.append(fix.qualityFlag, to: &qualityFlags)
    Self.append(fix.coordinate, to: &positions)
    if fix.timeValidity == .confirmed, let clock { aheadOfClock = fix.time - clock }
  }

  private static func append<Value>(_ value: Value, to list: inout [Value]) {
    if list.count == fixesRemembered { list.removeFirst() }
    list.append(value)
  }

  private mutating func beginSpeed(_ speed: Int?) {
    // Facts from decoded data are kept until data arrives at the new baud rate: if a receiver falls silent, its baud
    // rate is probed again.
    if validFrames > 0 { nextSpeed = NextBaudRate(baud: speed) } else { forget(startingAt: speed) }
  }

  private mutating func forget(startingAt speed: Int?) {
    classification = classificationSoFar
    sample = ByteSample()
    output = OutputSignature()
    rate = OutputRate()
    decoder.reset()
    countersAtSpeed = decoder.counters
    (firstByteAt, lastByteAt) = (nil, nil)
    if let speed, !speeds.contains(speed), speeds.count < Self.maximumSpeeds { speeds.append(speed) }
  }

  private var validFrames: UInt64 { decoder.counters.validFrames &- countersAtSpeed.validFrames }

  /// Decoded data needs no classification, with one exception: an NMEA greeting contains no position, so another
  /// protocol may follow it. If UBX was decoded, there is no exception, because random bytes between UBX frames can
  /// look like another protocol.
  private var classificationSoFar: ByteClassification {
    if validFrames == 0 { return sample.classification.orMoreInformative(classification) }
    guard evidence.positionMessages == 0, decoder.counters.validUBX == 0, case .other = sample.classification else {
      return classification
    }
    return sample.classification
  }

  /// A receiver counts as healthy only after this many fixes in a row without a quality flag.
  private static let fixesToTrust = 4
  /// Below this speed, m/s, a position that does not change is not a fault.
  private static let slowestMotion = 1.0

  /// Whether it is already certain that nothing is wrong, so that the examination can end early.
  package var isSurelyHealthy: Bool {
    guard let latestFix, qualityFlags.count >= Self.fixesToTrust, qualityFlags.allSatisfy({ $0 == nil }) else {
      return false
    }
    let moves = (latestFix.speedMetersPerSecond ?? 0) >= Self.slowestMotion
    return !moves || Set(positions).count > 1
  }

  /// The facts at `now`.
  package func facts(at now: Instant) -> ReceiverFacts {
    var facts = ReceiverFacts(device: device)
    let counters = decoder.counters
    facts.bytes = bytes
    facts.speeds = speeds
    facts.byteClassification = classificationSoFar
    facts.hasVanished = hasVanished
    facts.timesVanished = timesVanished
    facts.validFrames = Int(clamping: validFrames)
    facts.correctionFrames = Int(clamping: counters.skippedRTCM &- countersAtSpeed.skippedRTCM)
    facts.damagedFrames = Int(clamping: counters.checksumErrors &- countersAtSpeed.checksumErrors)
    facts.positionMessages = evidence.positionMessages
    facts.bytesAtSpeed = sample.count
    if let firstByteAt, let lastByteAt { facts.timeReceived = lastByteAt - firstByteAt }
    facts.bytesPerReceiverSecond = rate.bytesPerSecond
    facts.silence = now - (lastByteAt ?? openedAt)
    facts.restarts = evidence.restarts
    facts.listsSatellites = sky.listsSatellites
    facts.satellitesTracked = sky.received
    facts.strongestSignal = sky.strongest
    facts.antenna = evidence.antenna
    facts.isJammed = evidence.isJammed
    facts.isSpoofed = evidence.isSpoofed
    facts.horizontalDilution = evidence.horizontalDilution
    facts.satellitesUsed = evidence.satellitesUsed ?? latestFix?.satellitesUsed
    facts.radius68Meters = latestFix?.horizontalRadius68.value
    facts.reportedDate = evidence.reportedDate
    facts.dateFloor = dateFloor
    facts.aheadOfClock = aheadOfClock
    facts.isSimulated = latestFix?.isSimulated ?? false
    // With gpsd there may be no bytes of the receiver, or none that this package decodes: then the fixes of gpsd count.
    facts.hasFix = validFrames > 0 ? evidence.hasFix : latestFix != nil
    facts.isFlat = validFrames > 0 ? evidence.isFlat : latestFix?.kind == .twoDimensional
    facts.hasRTK = latestFix.map { $0.kind == .rtkFloat || $0.kind == .rtkFixed } ?? false
    facts.qualityFlag = qualityFlags.last ?? nil
    facts.output = output
    facts.output.baud = speeds.last
    facts.output.duration = facts.timeReceived
    return facts
  }
}

/// The bytes at one baud rate, for their classification: counts of all bytes, and the first few thousand of them.
struct ByteSample: Sendable {
  /// Maximum number of bytes kept for classification.
  static let maximumKept = 4096
  /// Fewer bytes than this are not classified as text.
  static let fewest = 32

  private var kept: [UInt8] = []
  private(set) var count = 0
  private var zeros = 0
  private var printable = 0
  private var lines = 0

  mutating func add(_ bytes: Span<UInt8>) {
    count += bytes.count
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case 0: zeros += 1
      case 0x0A:
        printable += 1
        lines += 1
      case 0x20...0x7E, 0x09, 0x0D: printable += 1
      default: break
      }
      if kept.count < Self.maximumKept { kept.append(byte) }
    }
  }

  /// What the bytes look like.
  var classification: ByteClassification {
    guard count > 0 else { return .nothing }
    if let other = UnsupportedProtocol.recognize(kept) { return .other(other) }
    if zeros * 10 >= count * 9 { return .zeros }
    if count >= Self.fewest, printable * 100 >= count * 97, lines > 0 { return .text }
    return .noise
  }
}

extension ByteClassification {
  /// The more informative one of two appearances at different baud rates.
  func orMoreInformative(_ other: ByteClassification) -> ByteClassification { other.weight > weight ? other : self }

  private var weight: Int {
    switch self {
    case .nothing: 0
    case .zeros: 1
    case .noise: 2
    case .text: 3
    case .other: 4
    }
  }
}
