/// Why gpsd has not let a receiver go, or not taken it up.
package enum HandoverProblem: Hashable, Sendable {
  /// The service may not use gpsd's control socket.
  case denied(socket: String)
  /// Nobody listens at that control socket.
  case noSocket(String)
  /// gpsd was asked, and has not done it.
  case refused
  /// gpsd did not answer, or not so that it could be understood.
  case noAnswer
  /// That gpsd is on another machine.
  case elsewhere(gpsd: String)
  /// The service was told to mind no gpsd.
  case unminded
}
