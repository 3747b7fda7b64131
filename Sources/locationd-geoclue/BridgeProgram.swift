import BusMessages
import GeoClueBridge
import LinuxIO
import LocationIPC
import LocationdClient
import SystemBus

/// GeoClue's names on the system bus: one thread, which waits for the bus and for the service's socket.
enum BridgeProgram {
  /// Of sysexits.h: the service is not available, and an error in the arguments.
  private static let (unavailable, usage): (Int32, Int32) = (69, 64)

  static func run(_ arguments: [String]) -> Int32 {
    if arguments == ["--version"] {
      return StandardOutput.write(Array("\(Release.current)\n".utf8)) == .written ? 0 : unavailable
    }
    guard arguments.isEmpty else {
      return fail(usage, "This program takes no arguments: the bus starts it. See locationd-geoclue(8).")
    }
    do {
      let surroundings = try ProgramLoop()
      let bus = try SystemBus()
      let session = BridgeSession(bus, surroundings.loop)
      try surroundings.onSignal { _ in surroundings.loop.stop() }
      try session.begin()
      // A call that started this program is already waiting.
      try bus.request(name: GeoClue.name)
      try surroundings.loop.run()
      return session.problem.map { fail(unavailable, sentence(for: $0)) } ?? 0
    } catch let error as SystemBusError {
      return fail(unavailable, sentence(for: error))
    } catch {
      return fail(unavailable, "Cannot start: \(error).")
    }
  }

  private static func sentence(for error: SystemBusError) -> String {
    switch error {
    case .nameTaken: "Another service owns \(GeoClue.name): stop geoclue.service, or remove the package geoclue-2.0."
    case .noLibrary: "libsystemd is not installed: install libsystemd0."
    case .failed, .tooLarge: "The system bus cannot be used: \(error)."
    }
  }

  private static func fail(_ status: Int32, _ sentence: String) -> Int32 {
    StandardError.write(Array("locationd-geoclue: \(sentence)\n".utf8))
    return status
  }
}
