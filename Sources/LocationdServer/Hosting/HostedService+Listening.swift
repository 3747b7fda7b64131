import LinuxIO
import LocationIPC
import LocationPolicy
package import LocationdHost
import LocationdService

/// Consumers of the receivers' output: clients, a recording, a diagnosis.
extension HostedService {
  func admit(_ client: ClientID, _ request: RequestID) {
    let now = runner.present
    let hear: ([UInt8]) -> Void = { [unowned self] in onEvent?(client, .heard(request, $0)) }
    let tap = listeners.admit(client, request, wallClock: WallClock.believable, at: now, hear: hear)
    guard let tap else {
      onEvent?(client, .failed(request, .tooManyRequests(limit: ListeningPost.maximumListeners)))
      onSettled?()
      return
    }
    for port in runner.openPorts { tap.begin(port.id, port.device, baud: port.baud, at: now) }
    runner.tap = listeners
    onSettled?()
  }

  func removeTap() { if listeners.isEmpty, runner.tap === listeners { runner.tap = nil } }

  /// Records the receivers' output from now on.
  package func record(to recording: CaptureRecording) {
    if let heard = parts.ports as? HeardPorts {
      // Times, baud rates and devices are those that the daemon observed.
      heard.onRecord = { recording.take($0) }
      return
    }
    let isReplay = parts.ports is ReplayPorts
    runner.tap = CaptureTap(origin: runner.present, wallClock: isReplay ? recordedStart : WallClock.believable) {
      recording.take($0)
    }
  }

  /// Receives the receivers' output from now on, and writes nothing to them.
  package func examine() -> ReceiverExaminer {
    (parts.ports as? HeardPorts)?.asksNobody = true
    let isRecording = parts.ports is ReplayPorts
    let examiner = ReceiverExaminer(
      dateFloor: runner.eraFloor, now: { [runner] in runner.present },
      clock: { isRecording ? nil : WallClock.believable },
      lineErrors: { [weak self] in self?.parts.ports?.lineErrors($0) })
    runner.tap = examiner
    return examiner
  }
}
