import Geodesy
import WireFormats

extension WireMessage {
  /// The time of its epoch that a message tells, on the clock that its protocol counts by.
  var epochTime: (milliseconds: Int64, clock: EpochPacer.Clock)? {
    switch self {
    case .nmea(let message, _): message.timeOfDay.map { ($0.nanosecondsSinceMidnight / 1_000_000, .timeOfDay) }
    case .ubx(let message): message.timeOfWeekMilliseconds.map { (Int64($0), .timeOfWeek) }
    }
  }
}

extension NMEAMessage {
  fileprivate var timeOfDay: TimeOfDay? {
    switch self {
    case .rmc(let rmc): rmc.time
    case .gga(let gga): gga.time
    case .gns(let gns): gns.time
    case .gll(let gll): gll.time
    case .zda(let zda): zda.time
    case .gst(let gst): gst.time
    case .gbs(let gbs): gbs.time
    case .pubxPosition(let position): position.time
    // PUBX,04 is the time of its sending, not of an epoch.
    case .ggk(let ggk): ggk.time
    case .pqxfi(let errors): errors.time
    case .pubxTime, .vtg, .gsa, .gsv, .dtm, .hdt, .ths, .txt, .pubxSatellite, .pmtk, .pgrme, .unknown: nil
    }
  }
}

extension UBXMessage {
  fileprivate var timeOfWeekMilliseconds: UInt32? {
    switch self {
    case .navPVT(let pvt): pvt.timeOfWeekMilliseconds
    case .navSOL(let sol): sol.timeOfWeekMilliseconds
    case .navPOSECEF(let position): position.timeOfWeekMilliseconds
    case .navPOSLLH(let position): position.timeOfWeekMilliseconds
    case .navVELNED(let velocity): velocity.timeOfWeekMilliseconds
    case .navTIMEUTC(let time): time.timeOfWeekMilliseconds
    case .navSVINFO(let list), .navSAT(let list): list.timeOfWeekMilliseconds
    case .navDOP(let dilution): dilution.timeOfWeekMilliseconds
    case .navSTATUS(let status): status.timeOfWeekMilliseconds
    case .navCOV(let covariance): covariance.timeOfWeekMilliseconds
    case .navEOE(let timeOfWeekMilliseconds): timeOfWeekMilliseconds
    case .navTIMELS(let leap): leap.timeOfWeekMilliseconds
    case .navSatellite, .monVERSoftware, .monVERHardware, .monVERExtension, .monRF, .secUNIQID, .acknowledgement,
      .configuration, .assistance,
      .assistanceAcknowledgement, .unknown:
      nil
    }
  }
}
