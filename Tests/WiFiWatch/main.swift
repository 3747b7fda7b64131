// What the radios of this machine receive, as the service receives it: one JSON line per event, until it is ended.
//
//     wifi-watch [--every SECONDS] [--helper SOCKET]
//
// With --every, it starts scans itself: through the helper, or directly if the helper does not answer.

import Geodesy
import Glibc
import LinuxDevices
import LinuxIO
import Positioning
import WireFormats

func write(_ line: String) { _ = StandardOutput.write(Array("\(line)\n".utf8)) }

func text(_ sighting: AccessPointObservation, at now: Instant) -> String {
  let signal = sighting.signalDecibelMilliwatts.map { "\($0)" } ?? "null"
  let frequency = sighting.frequencyMegahertz.map { "\($0)" } ?? "null"
  let age = (now - sighting.receivedAt).wholeNanoseconds / 1_000_000
  return #"{"bssid":"\#(sighting.bssid)","signal":\#(signal),"frequency":\#(frequency),"age":\#(age)}"#
}

func value(of argument: String) -> String? {
  guard let place = CommandLine.arguments.firstIndex(of: argument) else { return nil }
  return CommandLine.arguments.dropFirst(place + 1).first
}

do {
  let loop = try EventLoop()
  let scanner = WiFiScanner(loop: loop, helper: value(of: "--helper")) { event in
    switch event {
    case .received(let observations):
      let list = observations.map { text($0, at: loop.now) }.joined(separator: ",")
      write(#"{"event":"heard","at":\#(loop.now.nanoseconds / 1_000_000),"sightings":[\#(list)]}"#)
    case .optedOut(let addresses): write(#"{"event":"optedOut","count":\#(addresses.count)}"#)
    case .outlook(.starting): write(#"{"event":"starting"}"#)
    case .outlook(.listening(let problem)):
      write(#"{"event":"listening","problem":"\#(problem?.sentence ?? "")"}"#)
    case .outlook(.deaf(let problem)): write(#"{"event":"deaf","problem":"\#(problem.sentence)"}"#)
    }
  }
  if let seconds = value(of: "--every").flatMap(Int.init) { scanner.setPolicy(ScanPolicy(period: .seconds(seconds))) }
  try loop.run()
  scanner.close()
} catch {
  write(#"{"event":"failed","operation":"\#(error.operation)","errno":\#(error.errno)}"#)
  exit(1)
}
