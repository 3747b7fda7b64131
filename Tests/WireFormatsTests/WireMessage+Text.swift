import WireFormats

extension WireMessage {
  /// All that is in it, as a line that can be compared.
  var text: String {
    guard case .nmea(.gsv(let gsv), let talker) = self else { return String(reflecting: self) }
    // An inline array does not describe itself.
    var text =
      "\(talker) GSV \(gsv.sentences) \(gsv.sentence) \(gsv.satellitesInView) \(String(reflecting: gsv.signal))"
    for index in 0..<Int(gsv.count) { text += " " + String(reflecting: gsv.satellites[index]) }
    return text
  }
}
