import Foundation
import Geodesy
import LocationReplay

/// A runner's recorded receiver: a straight line north-east from the current time on, with five epochs per second.
struct RecordedRun {
  /// The speed, in meters per second.
  static let speed = 3.0
  /// The course, in degrees from north.
  static let course = 45.0

  private var records: [CaptureRecord] = []

  init(seconds: Int) {
    var configuration = SimulatedReceiver.Configuration()
    let now = Int64(Date().timeIntervalSince1970) * 1_000_000_000
    configuration.startTime = GNSSTime(nanosecondsSince1970: now)
    configuration.rateHertz = 5
    configuration.noise.horizontalMeters = 0.05
    configuration.trajectory = .line(
      from: SimulatedPosition(latitude: 46.95, longitude: 7.45, height: 590), course: Angle(degrees: Self.course),
      metersPerSecond: Self.speed)
    records = [
      CaptureRecord(arrival: .zero, source: 0, event: .start(configuration.startTime)),
      CaptureRecord(arrival: .zero, source: 1, event: .device(CapturedDevice(path: "/dev/ttyACM0"))),
    ]
    var receiver = SimulatedReceiver(configuration)
    let powerOn = Instant(nanoseconds: 0)
    receive(receiver.handle(.powered, at: powerOn), .zero)
    while let deadline = receiver.nextDeadline, deadline - powerOn <= .seconds(seconds) {
      receive(receiver.handle(.wake, at: deadline), deadline - powerOn)
    }
  }

  private mutating func receive(_ actions: [SimulatedReceiver.Action], _ arrival: Duration) {
    for case .send(let bytes) in actions {
      records.append(CaptureRecord(arrival: arrival, source: 1, event: .bytes(bytes)))
    }
  }

  func write(to file: URL) throws {
    var writer = CaptureWriter()
    try Data(records.flatMap { writer.encode($0) }).write(to: file)
  }
}
