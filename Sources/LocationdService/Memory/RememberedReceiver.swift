import GNSSReceiver

/// What is remembered about a receiver, so that it can be described before it is opened again.
package struct RememberedReceiver: Hashable, Sendable {
  /// Module or chip, and its firmware.
  package var model: String?
  package var firmware: String?
  /// The receiver's unique number, in hexadecimal.
  package var uniqueID: String?
  package var speaksNMEA = false
  package var speaksUBX = false

  /// Nothing is known.
  package init() {}

  init(_ identity: ReceiverIdentity) {
    model = identity.model
    firmware = identity.firmware
    uniqueID = identity.uniqueID
    speaksNMEA = identity.speaksNMEA
    speaksUBX = identity.speaksUBX
  }

  /// The identity, as far as it is remembered.
  var identity: ReceiverIdentity {
    var identity = ReceiverIdentity()
    identity.model = model
    identity.firmware = firmware
    identity.uniqueID = uniqueID
    identity.speaksNMEA = speaksNMEA
    identity.speaksUBX = speaksUBX
    return identity
  }
}

/// The file form: fields separated by tabs, which no text of a device contains.
extension RememberedReceiver {
  var text: String {
    let languages = [speaksNMEA ? "nmea" : nil, speaksUBX ? "ubx" : nil].compactMap { $0 }.joined(separator: "+")
    return [languages, model ?? "", firmware ?? "", uniqueID ?? ""].joined(separator: "\t")
  }

  init?(text: Substring) {
    let fields = text.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 4, fields.allSatisfy({ $0.utf8.count <= 64 }),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 })
    else { return nil }
    func known(_ field: Substring) -> String? { field.isEmpty ? nil : String(field) }
    speaksNMEA = fields[0].hasPrefix("nmea")
    speaksUBX = fields[0].hasSuffix("ubx")
    model = known(fields[1])
    firmware = known(fields[2])
    uniqueID = known(fields[3])
  }
}
