import LinuxIO
import LocationIPC
import LocationPolicy
package import LocationReplay
package import LocationdHost
import LocationdService

/// Consumers of the receivers' output: clients, a recording, a diagnosis.
extension HostedService {
  func admit(_ client: ClientID, _ request: RequestID) {
    let now = runner.present
    guard let tap = listeners.admit(client, request, wallClock: WallClock.believable, at: now) else {
      return runner.answer(client, .failed(request, .tooManyRequests(limit: CaptureBroadcaster.maximumListeners)))
    }
    for port in runner.openPorts { tap.begin(port.id, port.device, baud: port.baud, at: now) }
    runner.tap = listeners
    host.turnEnded()
  }

  func removeTap() { if listeners.isEmpty, runner.tap === listeners { runner.tap = nil } }

  /// Records the receivers' output from now on.
  package func record(to recording: CaptureRecording) {
    if let received = parts.received {
      // The times, baud rates and devices are those that the daemon observed.
      received.recording = recording
      return
    }
    runner.tap = CaptureRecorder(
      origin: runner.present, wallClock: parts.isReplay ? recordedStart : WallClock.believable
    ) {
      recording.add($0)
    }
  }

  /// Passes the receivers' output to `body` from now on, as the records of a capture.
  package func follow(_ body: @escaping (CaptureRecord) -> Void) {
    if let received = parts.received {
      received.onRecord = body
      return
    }
    runner.tap = CaptureRecorder(origin: runner.present, wallClock: nil, body)
  }

  /// Receives the receivers' output from now on, and writes nothing to them.
  package func examine() -> ReceiverExaminer {
    parts.received?.asksNobody = true
    let isRecording = parts.isReplay
    let examiner = ReceiverExaminer(
      dateFloor: runner.eraFloor, now: { [runner] in runner.present },
      clock: { isRecording ? nil : WallClock.believable },
      lineErrors: { [weak self] in self?.parts.links?.lineErrors($0) })
    runner.tap = examiner
    return examiner
  }
}
