import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import Testing

/// Requests for the fixes of one named receiver, and services with a named source: fixes of other receivers do not answer them.
@Suite struct NamedDeviceTests {
  typealias Bench = CoreBench
  private static let (near, far) = ("/dev/ttyACM0", "/dev/ttyACM1")

  private func fix(of device: String?, secondsAgo: Int = 1) -> PositionFix {
    var fix = PositionFix(
      time: Bench.wallClock + .seconds(-secondsAgo), timeValidity: .confirmed, receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 47.28), longitude: Angle(degrees: 8.55)),
      horizontalRadius68: Meters(4.6), kind: .threeDimensional, technologies: .gnss)
    fix.device = device
    return fix
  }

  private func memory(of device: String?, source: String?, isTracked: Bool = true) -> ServiceMemory {
    var memory = ServiceMemory()
    (memory.lastFix, memory.lastFixSource, memory.isLastFixTracked) = (fix(of: device), source, isTracked)
    return memory
  }

  /// Two open receivers that have sent data; the stream uses the near one.
  private func two(_ request: ServiceCore.Input) -> Bench {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1", path: Self.near)), at: 0)
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-2", path: Self.far)), at: 0)
    _ = bench.send(.request(ClientID.process(9), .startUpdates(RequestID(1), UpdateOptions())), at: 1)
    _ = bench.send(.opened(Bench.first, baud: 9600), at: 1)
    _ = bench.send(.opened(Bench.second, baud: 9600), at: 1)
    _ = bench.receive(Bench.burst(2), on: Bench.first, at: 2)
    return bench
  }

  @Test func aNamedReceiverOfSeveralAnswersAlone() throws {
    let request = Bench.locate { $0.device = Self.far }
    var bench = two(request)
    #expect(bench.send(request, at: 2.3).located == nil, "the other one's is at hand")
    #expect(bench.receive(Bench.burst(3), on: Bench.first, at: 3).located == nil)
    let located = bench.receive(Bench.burst(3, latitude: "4718.0000"), on: Bench.second, at: 3.3).located
    #expect(try #require(located).device == Self.far)
    #expect(abs(try #require(located).coordinate.latitude.degrees - 47.3) < 1e-9)
  }

  @Test func aStreamOfANamedReceiverIsNotTheChosenOnes() {
    var options = UpdateOptions()
    options.device = Self.far
    let request = ServiceCore.Input.request(Bench.client, .startUpdates(RequestID(1), options))
    var bench = two(request)
    func own(_ actions: [ServiceCore.Action]) -> [String?] {
      actions.compactMap { if case .send(Bench.client, .update(_, let fix, _)) = $0 { fix.device } else { nil } }
    }
    #expect(own(bench.send(request, at: 2.3)) == [])
    #expect(own(bench.receive(Bench.burst(3), on: Bench.first, at: 3)) == [])
    #expect(own(bench.receive(Bench.burst(3), on: Bench.second, at: 3.3)) == [Self.far])
  }

  @Test func aMissingNamedReceiverIsReported() {
    var bench = Bench()
    _ = bench.send(.deviceAppeared(Bench.receiver("usb-1", path: Self.near)), at: 0)
    let reported = bench.reportAll(Bench.locate { $0.device = Self.far }, at: 1)
    // It may have been plugged in just now, although the other one is there.
    #expect(reported.failure == nil)
    #expect(reported.contains(.send(Bench.client, .progress(RequestID(1), .waitingForSource))))
    #expect(bench.send(.wake, at: 4).failure == .cannotOpen(path: Self.far, reason: .doesNotExist))
  }

  // MARK: - Named sources

  private func service(_ memory: ServiceMemory, naming source: NamedSource?) -> Bench {
    var settings = ServiceCore.Settings(
      eraFloor: CalendarDate(year: 2026, month: 1, day: 1), wallClock: Bench.wallClock, startedAt: Bench.start,
      memory: memory)
    settings.namedSource = source
    var bench = Bench()
    bench.core = ServiceCore(settings)
    _ = bench.send(.inventoryComplete, at: 0)
    return bench
  }

  @Test func aRememberedFixAnswersOnlyForItsOwnSource() {
    let port = NamedSource(text: "serial:/dev/ttyACM0", paths: [Self.near])
    let gpsd = NamedSource(text: "gpsd:localhost:2947")
    func answers(_ memory: ServiceMemory, _ source: NamedSource?) -> Bool {
      var bench = service(memory, naming: source)
      return bench.send(Bench.locate { $0.acceptsLastKnown = true }, at: 0.5).located != nil
    }
    #expect(answers(memory(of: Self.near, source: "auto"), port))
    #expect(!answers(memory(of: Self.far, source: "auto"), port))
    #expect(!answers(memory(of: Self.far, source: nil), port))
    #expect(!answers(memory(of: nil, source: "wifi"), port))
    #expect(answers(memory(of: Self.near, source: "gpsd:localhost:2947"), gpsd))
    #expect(!answers(memory(of: Self.near, source: "gpsd:elsewhere:2947"), gpsd))
    #expect(!answers(memory(of: Self.near, source: "auto"), NamedSource(text: "wifi", isWiFi: true)))
    #expect(answers(memory(of: Self.far, source: "serial:/dev/ttyACM1"), nil), "nobody has named any")
  }

  @Test func theOriginOfAFixIsRemembered() {
    let kept = ServiceMemory(text: memory(of: Self.near, source: "serial:/dev/ttyACM0").text)
    #expect(kept.lastFixSource == "serial:/dev/ttyACM0" && kept.isLastFixTracked && kept.lastFix?.device == Self.near)
    let before = ServiceMemory(text: memory(of: Self.near, source: nil, isTracked: false).text)
    #expect(before.lastFixSource == nil && !before.isLastFixTracked && before.lastFix != nil)
  }

  // MARK: - After the lock

  @Test func whatTheLastHolderOfThePortRememberedAnswers() throws {
    var bench = service(ServiceMemory(), naming: nil)
    let receiver = Bench.receiver("usb-1", path: Self.near)
    _ = bench.send(.deviceAppeared(receiver), at: 0)
    _ = bench.send(Bench.locate(), at: 0.1)
    _ = bench.send(.request(ClientID.process(2), .startUpdates(RequestID(1), UpdateOptions())), at: 0.1)
    _ = bench.send(.openFailed(Bench.first, .lockedByOwn(pid: 7)), at: 0.1)
    var elsewhere = memory(of: Self.near, source: "auto")
    elsewhere.lastFix = fix(of: Self.near, secondsAgo: 0)
    let reported = bench.send(.remembered(elsewhere), at: 1)
    #expect(try #require(reported.located).device == Self.near)
    #expect(reported.updates.isEmpty, "no stream begins with it")
    // A remembered fix that is too old, or that was not the best that the receiver could give, does not answer.
    for (age, isTracked) in [(60, true), (0, false)] {
      var other = service(ServiceMemory(), naming: nil)
      _ = other.send(.deviceAppeared(receiver), at: 0)
      _ = other.send(Bench.locate(), at: 0.1)
      _ = other.send(.openFailed(Bench.first, .lockedByOwn(pid: 7)), at: 0.1)
      var memory = memory(of: Self.near, source: "auto", isTracked: isTracked)
      memory.lastFix = fix(of: Self.near, secondsAgo: age)
      #expect(other.send(.remembered(memory), at: 1).located == nil)
    }
  }
}
