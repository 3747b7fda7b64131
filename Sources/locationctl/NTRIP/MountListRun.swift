import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import NetworkSources

/// Requests the list of mount points of a caster, by a network helper that this command starts.
final class MountListRun {
  /// A long list takes some seconds.
  private static let patience: Duration = .seconds(30)

  private let address: CasterAddress
  private let credentials: CasterCredentials?
  private let release: String
  private var reader = MountListReader()
  private var problem: NTRIPProblem?
  private var isComplete = false

  init(_ address: CasterAddress, credentials: CasterCredentials?, release: String) {
    (self.address, self.credentials, self.release) = (address, credentials, release)
  }

  /// Waits for the list, and passes it to `body`.
  func run(_ body: ([MountPoint]) -> CommandStatus) -> CommandStatus {
    do throws(SystemError) {
      let loop = try EventLoop()
      var request = CasterRequest(address, credentials: credentials, isVersion1: false, release: release)
      request.address = address.withoutMount
      var link: NetworkLink?
      link = NetworkLink(loop: loop, .connect(address.server, isEncrypted: address.isEncrypted)) { [self] event in
        switch event {
        case .connected: link?.send(request.bytes)
        case .received(let bytes): receive(bytes)
        case .dropped, .accepted: break
        case .ended(.closed): end()
        case .ended(let cause): problem = .connection(cause)
        }
        if isComplete || problem != nil { loop.stop() }
      }
      loop.schedule(at: loop.now + Self.patience) { [self] in
        problem = problem ?? .lateAnswer
        loop.stop()
      }
      try loop.run()
      link?.close()
    } catch {
      return Diagnostics.report(
        FailureMessage("Cannot \(error.operation) (\(ErrorDescription.of(error.errno))): try again.", .locationUnknown))
    }
    if let problem {
      return Diagnostics.report(
        FailureMessage("The caster \(TerminalText.sanitized(problem.sentence, limit: 400)).", .locationUnknown))
    }
    if reader.isCut { Diagnostics.print("The list is too long, and was cut off.") }
    return body(reader.mounts)
  }

  private func receive(_ bytes: [UInt8]) {
    do throws(NTRIPProblem) {
      isComplete = try reader.receive(bytes.span)
    } catch {
      problem = error
    }
  }

  private func end() {
    do throws(NTRIPProblem) {
      try reader.close()
      isComplete = true
    } catch {
      problem = error
    }
  }
}
