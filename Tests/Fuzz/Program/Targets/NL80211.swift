import WireFormats

/// Any bytes as a datagram of the kernel, with and without the identifier of nl80211: the values that are passed on are in range,
/// no message is passed on twice, and the messages before a cut are the same with and without the cut.
func checkNL80211(_ bytes: [UInt8]) {
  let whole = decode(bytes, family: 0x1C)
  _ = decode(bytes, family: nil)
  _ = decode(bytes, family: 0x10)
  guard let first = bytes.first else { return }
  let part = decode(Array(bytes.prefix(bytes.count * Int(first) / 256)), family: 0x1C)
  precondition(part.count <= whole.count && part == Array(whole.prefix(part.count)), "a cut changes what is before it")
}

private func decode(_ bytes: [UInt8], family: UInt16?) -> [NetlinkMessage] {
  var decoder = NetlinkDecoder(family: family)
  var messages: [NetlinkMessage] = []
  decoder.decode(bytes.span) { _, message in
    checkRanges(message)
    messages.append(message)
  }
  precondition(messages.count == Int(decoder.decoded), "handed on something else than was counted")
  precondition(Int(decoder.decoded + decoder.malformed + decoder.unknown) <= 1 + bytes.count / 16, "more than there is")
  return messages
}

private func checkRanges(_ message: NetlinkMessage) {
  switch message {
  case .refused(let errno): precondition((1...4095).contains(errno))
  case .listEnded(let errno): precondition((0...4095).contains(errno))
  case .family(let family): precondition(family.id > 0x10)
  case .accessPoint(let entry):
    precondition(entry.frequencyMegahertz != 0 && entry.receivedAtBootNanoseconds != 0)
    precondition(entry.isHidden || entry.name?.isHidden == false, "a name that is not there is told")
  case .interface(let interface):
    index(interface.index)
    precondition(interface.name.string.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  case .interfaceGone(let number): index(number)
  case .scanStarted(let event), .scanFinished(let event), .scanAborted(let event):
    event.interfaceIndex.map(index)
  case .acknowledged, .overrun: break
  }
}

private func index(_ number: UInt32) { precondition(number > 0 && number <= UInt32(Int32.max)) }
