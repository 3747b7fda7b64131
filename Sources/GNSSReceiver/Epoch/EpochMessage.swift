import Geodesy
import WireFormats

/// A message's role in the assembly of an epoch: its time, and its signature among the messages of its epoch.
struct EpochMessage {
  /// `nil`: it is not part of an epoch.
  let role: Role?

  enum Role {
    /// Belongs to the current epoch, or begins one if it has a time.
    case part(MessageTime?, CycleEnd.Signature?)
    /// UBX-NAV-EOE: the epoch is complete.
    case end(MessageTime)
  }

  init(_ message: WireMessage) {
    switch message {
    case .nmea(let sentence, let talker): role = Self.role(of: sentence, talker)
    case .ubx(let frame): role = Self.role(of: frame)
    }
  }

  init(_ report: GPSDMessage) { role = Self.role(of: report) }

  private static func part(_ type: UInt32, _ time: MessageTime?, detail: UInt32 = 0) -> Role {
    .part(time, CycleEnd.Signature(type: type, detail: detail, occurrence: 0))
  }

  private static func day(_ time: TimeOfDay?) -> MessageTime? { time.map { .ofDay($0.nanosecondsSinceMidnight) } }

  private static func role(of sentence: NMEAMessage, _ talker: Talker) -> Role? {
    switch sentence {
    case .rmc(let rmc): return part(1, day(rmc.time))
    case .gga(let gga): return part(2, day(gga.time))
    case .gns(let gns): return part(3, day(gns.time))
    case .gll(let gll): return part(4, day(gll.time))
    case .zda(let zda): return part(5, day(zda.time))
    case .gst(let gst): return part(6, day(gst.time))
    case .pubxPosition(let position): return part(7, day(position.time))
    case .pubxTime(let time): return part(8, day(time.time))
    case .vtg: return part(9, nil)
    case .gsa(let gsa): return part(10, nil, detail: UInt32(gsa.system?.rawValue ?? 0))
    case .gsv(let gsv):
      // Lists grow and shrink: only their last sentence can end an epoch, whatever its number.
      guard gsv.isLast else { return .part(nil, nil) }
      return part(11, nil, detail: UInt32(talker.rawValue) << 8 | UInt32(gsv.signal ?? 0))
    case .pgrme: return part(12, nil)
    // The number of satellites is not reported: if the list ends an epoch, its end is learned for as long as its length stays the
    // same.
    case .pubxSatellite: return part(13, nil)
    case .ggk(let ggk): return part(14, day(ggk.time))
    case .pqxfi(let errors): return part(15, day(errors.time))
    case .phoneAccuracy: return part(16, nil)
    case .dtm, .gbs, .hdt, .ths, .magneticHeading, .rateOfTurn, .txt, .pmtk, .unknown: return nil
    }
  }

  /// gpsd sends several TPV for one epoch, and a SKY now and then: neither can be learned as an epoch's end.
  private static func role(of report: GPSDMessage) -> Role? {
    switch report {
    case .position(let position):
      guard let time = position.time else { return position.mode == .noFix ? .part(nil, nil) : nil }
      return .part(.ofDay(time.nanosecondsSinceMidnight), nil)
    case .sky(let sky): return .part(sky.time.map { .ofDay($0.nanosecondsSinceMidnight) }, nil)
    case .satellite: return .part(nil, nil)
    }
  }

  private static func role(of frame: UBXMessage) -> Role? {
    switch frame {
    case .navPVT(let pvt):
      guard let time = pvt.time, pvt.isTimeValid else { return part(0x0107, .ofWeek(pvt.timeOfWeekMilliseconds)) }
      let day = UTCMoment(time, adding: pvt.nanoseconds).nanosecondsOfDay
      return part(0x0107, .ofBoth(day: day, week: pvt.timeOfWeekMilliseconds))
    case .navTIMEUTC(let utc):
      guard let time = utc.time, utc.isUTCValid else { return part(0x0121, .ofWeek(utc.timeOfWeekMilliseconds)) }
      let day = UTCMoment(time, adding: utc.nanoseconds).nanosecondsOfDay
      return part(0x0121, .ofBoth(day: day, week: utc.timeOfWeekMilliseconds))
    case .navSOL(let sol): return part(0x0106, .ofWeek(sol.timeOfWeekMilliseconds))
    case .navPOSECEF(let position): return part(0x0101, .ofWeek(position.timeOfWeekMilliseconds))
    case .navPOSLLH(let position): return part(0x0102, .ofWeek(position.timeOfWeekMilliseconds))
    case .navVELNED(let velocity): return part(0x0112, .ofWeek(velocity.timeOfWeekMilliseconds))
    case .navDOP(let dop): return part(0x0104, .ofWeek(dop.timeOfWeekMilliseconds))
    case .navSTATUS(let status): return part(0x0103, .ofWeek(status.timeOfWeekMilliseconds))
    case .navCOV(let covariance): return part(0x0136, .ofWeek(covariance.timeOfWeekMilliseconds))
    case .navTIMELS(let leap): return part(0x0126, .ofWeek(leap.timeOfWeekMilliseconds))
    // A list's elements follow its head; `SatelliteListEnd` knows the last one.
    case .navSAT(let list), .navSVINFO(let list): return .part(.ofWeek(list.timeOfWeekMilliseconds), nil)
    case .navSatellite: return .part(nil, nil)
    case .navEOE(let timeOfWeek): return .end(.ofWeek(timeOfWeek))
    // It does not contain the position.
    case .navRELPOSNED: return nil
    case .monVERSoftware, .monVERHardware, .monVERExtension, .monRF, .secUNIQID, .timTP, .acknowledgement,
      .configuration, .assistance,
      .assistanceAcknowledgement, .unknown:
      return nil
    }
  }
}

/// Finds the last satellite of a UBX list: it may end an epoch. The list's head cannot, because it comes first.
struct SatelliteListEnd: Sendable {
  private var satellitesToCome = 0
  private var type: UInt32 = 0

  /// The signature of the whole list, at its last message.
  mutating func signature(at message: WireMessage) -> CycleEnd.Signature? {
    switch message {
    case .ubx(.navSAT(let list)): begin(0x0135, list)
    case .ubx(.navSVINFO(let list)): begin(0x0130, list)
    case .ubx(.navSatellite): satellitesToCome -= 1
    case .ubx, .nmea: return nil
    }
    guard satellitesToCome == 0 else { return nil }
    return CycleEnd.Signature(type: type, detail: 0, occurrence: 0)
  }

  private mutating func begin(_ type: UInt32, _ list: NavSatelliteList) {
    self.type = type
    satellitesToCome = Int(list.count)
  }
}

/// Learns which message a receiver sends last in an epoch, so that the epoch can be completed with it, instead of with the
/// first message of the next epoch, a whole period later.
struct CycleEnd: Sendable {
  /// What distinguishes a message from the others of its epoch.
  struct Signature: Hashable, Sendable {
    /// A number for each NMEA formatter, or UBX class and identifier.
    var type: UInt32
    /// Distinguishes several of one type: talker, system and signal identifier.
    var detail: UInt32
    /// How often this type and detail have occurred in this epoch, this message included.
    var occurrence: UInt16
  }

  private var learned: Signature?
  private var candidate: Signature?
  private var timesSeen = 0

  /// Consecutive epochs that must end with the same message.
  static let epochsToLearn = 2

  /// An epoch was completed by a silence or by the next epoch, and `last` was its last message.
  mutating func epochEnded(with last: Signature) {
    guard last != learned else { return }
    if last == candidate {
      timesSeen += 1
    } else {
      candidate = last
      timesSeen = 1
    }
    learned = timesSeen >= Self.epochsToLearn ? last : nil
  }

  /// Whether this message is the learned end of an epoch.
  func isEnd(_ message: Signature) -> Bool { message == learned }

  /// A message came after the learned end: the receiver's order of messages has changed.
  mutating func wasWrong() {
    learned = nil
    candidate = nil
    timesSeen = 0
  }
}
