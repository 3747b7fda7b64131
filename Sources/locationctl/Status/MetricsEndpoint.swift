import Geodesy
import LinuxIO

/// `status --prometheus --http`: answers the one HTTP request on standard input, which is a connection that systemd has
/// accepted, and ends.
enum MetricsEndpoint {
  /// Maximum time in which a client must send its request.
  private static let patience = Duration.seconds(5)

  /// Reads the request, and writes the response to standard output.
  static func serve(_ metrics: () -> [UInt8]) -> CommandStatus {
    var request = MetricsRequest()
    do throws(SystemError) {
      let loop = try EventLoop()
      var buffer = [UInt8](repeating: 0, count: 4096)
      loop.schedule(at: loop.now + patience) {
        request.end(isLate: true)
        loop.stop()
      }
      _ = try loop.watch(0) { _ in
        switch StandardInput.read(into: &buffer) {
        case .bytes(let count): request.receive(buffer[..<count])
        case .endOfFile, .failed: request.end(isLate: false)
        case .wouldBlock: break
        }
        if request.state != .incomplete { loop.stop() }
      }
      try loop.run()
    } catch {
      return Diagnostics.report(
        FailureMessage(
          "The request cannot be read (\(ErrorDescription.of(error.errno))): start locationd-metrics.socket.", .usage))
    }
    // A client that does not read the response is not a failure of this program.
    _ = Results.write(request.response(metrics))
    return .done
  }
}
