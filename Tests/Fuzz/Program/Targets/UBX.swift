import Geodesy
import WireFormats

/// Class, identifier and payload as a frame with a correct checksum, so that every message's decoder is reached: decoded values
/// are in range, and a malformed frame returns nothing.
func checkUBX(_ input: [UInt8]) {
  guard input.count >= 2, input.count <= 2 + 8192 else { return }
  let frame = UBXFrame.encode(class: input[0], id: input[1], payload: Array(input.dropFirst(2)))
  var decoder = WireDecoder()
  var messages = 0
  var toCome = 0
  decoder.push(frame.span) { message in
    guard case .ubx(let message) = message else { fatalError("no UBX in it") }
    messages += 1
    checkRanges(message, &toCome)
  }
  let counters = decoder.counters
  precondition(counters.validUBX == 1 && counters.frameBytes == UInt64(frame.count) && counters.noiseBytes == 0)
  precondition((messages == 0) == (counters.malformed == 1), "malformed, and yet a message; or neither")
  precondition(toCome == 0, "a list of another length than told")
}

private func checkRanges(_ message: UBXMessage, _ toCome: inout Int) {
  switch message {
  case .navPVT(let pvt):
    week(pvt.timeOfWeekMilliseconds)
    place(pvt.latitudeE7, pvt.longitudeE7)
    precondition((-1_000_000_000...1_000_000_000).contains(pvt.nanoseconds))
    precondition(pvt.date.map { $0.year >= 1 } ?? true)
  case .navSOL(let sol): week(sol.timeOfWeekMilliseconds)
  case .navPOSECEF(let position): week(position.timeOfWeekMilliseconds)
  case .navPOSLLH(let position):
    week(position.timeOfWeekMilliseconds)
    place(position.latitudeE7, position.longitudeE7)
  case .navVELNED(let velocity): week(velocity.timeOfWeekMilliseconds)
  case .navTIMEUTC(let time):
    week(time.timeOfWeekMilliseconds)
    precondition((-1_000_000_000...1_000_000_000).contains(time.nanoseconds))
  case .navSVINFO(let list), .navSAT(let list):
    week(list.timeOfWeekMilliseconds)
    toCome = Int(list.count)
  case .navSatellite(let satellite):
    toCome -= 1
    precondition(satellite.id.map { $0.number > 0 && $0.number < 255 } ?? true)
  case .navDOP(let dop): week(dop.timeOfWeekMilliseconds)
  case .navSTATUS(let status): week(status.timeOfWeekMilliseconds)
  case .navCOV(let covariance):
    week(covariance.timeOfWeekMilliseconds)
    precondition(covariance.positionNorthNorth >= 0 && covariance.positionNorthNorth.isFinite)
    precondition(covariance.positionEastEast >= 0 && covariance.positionEastEast.isFinite)
    precondition(covariance.positionDownDown >= 0 && covariance.positionDownDown.isFinite)
    precondition(covariance.positionNorthEast.isFinite)
  case .navEOE(let time): week(time)
  case .navTIMELS(let leap): week(leap.timeOfWeekMilliseconds)
  case .navRELPOSNED(let vector):
    week(vector.timeOfWeekMilliseconds)
    precondition(vector.headingE5.map { (0..<36_000_000).contains($0) } ?? true)
  case .timTP(let pulse): week(pulse.timeOfWeekMilliseconds)
  case .monVERSoftware(let text), .monVERHardware(let text), .monVERExtension(let text):
    precondition(text.string.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  case .secUNIQID(let id): precondition(id.string.utf8.count == 2 * Int(id.byteCount))
  case .monRF, .acknowledgement, .configuration, .assistance,
    .assistanceAcknowledgement, .unknown:
    break
  }
}

private func week(_ milliseconds: UInt32) { precondition(milliseconds < 604_800_000, "beyond the week") }

private func place(_ latitude: Int32, _ longitude: Int32) {
  precondition((-900_000_000...900_000_000).contains(latitude) && (-1_800_000_000...1_800_000_000).contains(longitude))
}
