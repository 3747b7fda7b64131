import Geodesy
import LocationIPC
import TrackFormats
import WireFormats

/// What a client receives without a request.
extension GPSDSession {
  mutating func send(_ text: GPSDEpochText, at now: Instant, clock: GNSSTime) {
    guard watch.isOn, access.isGranted, text.access == access, isWatched(text.epoch.device) else { return }
    note(text.epoch, at: now, clock: clock)
    let forms = forms
    output.replaceEpoch(json: forms.contains(.json) ? text.json : [], nmea: forms.contains(.nmea) ? text.nmea : [])
    repeatAt = text.epoch.fix == nil ? now + Self.epochPatience : nil
  }

  private func isWatched(_ device: String) -> Bool { watch.device.map { $0 == device } ?? true }

  private mutating func note(_ epoch: GPSDEpoch, at now: Instant, clock: GNSSTime) {
    let old = latest
    if let old { epochInterval = epoch.deliveredAt - old.deliveredAt }
    if let fix = epoch.fix {
      if let before = old?.fix, before.device == fix.device {
        let seconds = (fix.time - before.time).inSeconds
        cycleSeconds = seconds > 0 && seconds <= 60 ? seconds : nil
      }
      if fix.device == nil, serviceActivated == nil { serviceActivated = clock }
    }
    latest = epoch
    // POLL always has a complete list.
    if epoch.completeSky == nil, let sky = old?.sky, sky.device == epoch.device { latest?.sky = sky }
  }

  /// The last position must no longer be used.
  mutating func lose(at now: Instant) {
    guard watch.isOn, access.isGranted else { return }
    latest?.fix = nil
    sendWithoutPosition(at: now)
  }

  /// TPV without a position, and the same as sentences.
  mutating func sendWithoutPosition(at now: Instant) {
    guard watch.isOn else { return repeatAt = nil }
    var objects = GPSDObjectBuffer()
    var sentences = NMEASentenceBuffer()
    if watch.json {
      objects.appendTPV(
        GPSDEpoch(fix: nil, sky: nil, deliveredAt: now), device: selectedPath, access: access, at: now)
      objects.endLine()
    }
    if watch.nmea, watch.raw == 0 { sentences.appendLost(at: nil, .server) }
    output.replaceEpoch(json: objects.bytes, nmea: sentences.bytes)
    repeatAt = now + (access == .denied ? Self.deniedInterval : Self.lostInterval)
  }

  // MARK: - Access and devices

  mutating func change(to access: GPSDAccess, at now: Instant) {
    guard access != self.access else { return }
    let isLess = self.access.isGranted && (self.access == .full || !access.isGranted)
    self.access = access
    forget()
    // From now on, nothing is sent that was meant for a client with more access.
    if isLess { output.clear() }
    guard watch.isOn else { return }
    if access == .denied, watch.json {
      var error = GPSDObjectBuffer()
      error.appendError(Self.notAuthorized)
      output.append(error.bytes)
    }
    if watch.raw > 0, access == .reduced || access == .denied {
      watch.raw = 0
      decoder = nil
      if access == .reduced, watch.json {
        var error = GPSDObjectBuffer()
        error.appendError(Self.rawNeedsAccess)
        output.append(error.bytes)
      }
    }
    if !access.isGranted { sendWithoutPosition(at: now) }
  }

  mutating func change(to list: GPSDDeviceList) {
    let old = devices
    devices = list
    // Only watchers of JSON expect objects that they did not request.
    guard watch.isOn, watch.json, old != list else { return }
    var objects = GPSDObjectBuffer()
    for entry in old.entries where entry.isOpen && isWatched(entry.device.path) {
      guard !(list.entry(entry.device.path, for: .full)?.isOpen ?? false) else { continue }
      objects.appendLostDevice(entry.shown(to: access).path)
      objects.endLine()
    }
    for entry in list.entries where entry.isOpen && isWatched(entry.device.path) {
      let before = old.entry(entry.device.path, for: .full)
      guard before?.activated != entry.activated || before?.device.protocolName != entry.device.protocolName else {
        continue
      }
      objects.appendDevice(entry, access: access, cycleSeconds: nil)
      objects.endLine()
    }
    output.append(objects.bytes)
  }

  // MARK: - Raw bytes and time

  mutating func sendRaw(_ bytes: [UInt8], of device: String) {
    guard watch.isOn, access == .full, isWatched(device) else { return }
    switch watch.raw {
    case 0: break
    case 1:
      var decoder = self.decoder ?? WireDecoder()
      self.decoder = nil
      var text: [UInt8] = []
      decoder.pushFrames(bytes.span) { bytes, frame, _ in Self.append(frame, of: bytes, to: &text) }
      self.decoder = decoder
      output.append(text)
    case _: output.append(bytes, isRaw: true)
    }
  }

  /// A sentence as it is, and a binary frame in hexadecimal, each as a line.
  private static func append(_ frame: WireFrame, of bytes: Span<UInt8>, to text: inout [UInt8]) {
    switch frame {
    case .sentence(let start, let end):
      // From the dollar sign to the checksum.
      for index in (start - 1)..<(end + 3) { text.append(bytes[index]) }
    case .ubx(_, _, let payload):
      // From the sync characters to the checksum.
      for index in (payload.lowerBound - 6)..<(payload.upperBound + 2) {
        let byte = bytes[index]
        for digit in [byte >> 4, byte & 15] {
          text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      }
    }
    text.append(0x0D)
    text.append(0x0A)
  }

  mutating func send(_ mark: GPSDTimeMark) {
    guard watch.isOn, watch.pps, access == .full, isWatched(mark.device), output.isEmpty else { return }
    var object = GPSDObjectBuffer()
    object.append(mark, device: devices.shownPath(mark.device, to: access))
    output.append(object.bytes)
  }
}
