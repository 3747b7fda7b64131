import WireFormats

extension WireMessage {
  /// The whole content of the message, as a line that can be compared.
  var text: String {
    // The default description of an inline array does not contain its elements.
    if case .nmea(.gsa(let gsa), let talker) = self {
      let numbers = (0..<Int(gsa.satellitesUsed)).map { gsa.numbers[$0] }
      let dilutions = [gsa.pdopHundredths, gsa.hdopHundredths, gsa.vdopHundredths]
      return "\(talker) GSA \(gsa.dimension) \(numbers) \(dilutions) \(String(reflecting: gsa.system))"
    }
    guard case .nmea(.gsv(let gsv), let talker) = self else { return String(reflecting: self) }
    var text =
      "\(talker) GSV \(gsv.sentences) \(gsv.sentence) \(gsv.satellitesInView) \(String(reflecting: gsv.signal))"
    for index in 0..<Int(gsv.count) { text += " " + String(reflecting: gsv.satellites[index]) }
    return text
  }
}
