import Geodesy
import LocationPolicy
import TestSupport
import Testing

/// Transcripts with one event per line.
@Suite struct LogRecorderTests {
  private func recorder(_ options: LogOptions = LogOptions(), isResumption: Bool = false) -> LogRecorder {
    var machine = LogRecorder(options)
    #expect(machine.handle(.begin(isResumption: isResumption), at: .start) == [])
    return machine
  }

  /// A fix on the way north, at 10 m/s since the start.
  private func driving(_ seconds: Double) -> PositionFix {
    .at(seconds, radius: 3, speed: 10, latitude: north(10 * seconds))
  }

  private func north(_ meters: Double) -> Double { 50 + meters / 111_229 }

  private func standing(_ seconds: Double, at meters: Double = 0) -> PositionFix {
    .at(seconds, radius: 3, speed: 0.1, latitude: north(meters))
  }

  /// The entries that a machine appends for fixes that come on time.
  private func appended(_ machine: inout LogRecorder, _ fixes: [PositionFix]) -> [TrackEntry] {
    fixes.flatMap { machine.handle(.fix($0), at: $0.receivedAt) }.compactMap { action in
      if case .append(let entry) = action { entry } else { nil }
    }
  }

  private func fixes(_ entries: [TrackEntry]) -> [PositionFix] {
    entries.compactMap { entry in if case .fix(let fix) = entry { fix } else { nil } }
  }

  // MARK: Recording and syncing

  /// A service that is killed again and again stores something in each of its runs.
  @Test func theFirstSyncsComeSoon() {
    var pace = LogSyncPolicy()
    pace.firstSync = .milliseconds(250)
    var machine = LogRecorder(LogOptions(), pace: pace)
    _ = machine.handle(.begin(isResumption: true), at: .start)
    var syncs: [Duration] = []
    for tenth in 1...1000 {
      let fix = driving(Double(tenth) / 10)
      let isSynced = machine.handle(.fix(fix), at: fix.receivedAt).contains(.sync)
      if isSynced { syncs.append(fix.receivedAt - .start) }
    }
    #expect(syncs.first.map { $0 <= .milliseconds(500) } == true)
    #expect(zip(syncs, syncs.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(30_200) })
    #expect(syncs.count == 9, "\(syncs)")
  }

  @Test func aDriveIsRecordedAndSyncedEachHalfMinute() {
    var machine = recorder()
    let first = driving(1)
    #expect(
      machine.handle(.fix(first), at: .seconds(1)) == [.append(.interruption(.started)), .append(.fix(first))])
    #expect(machine.nextDeadline == .seconds(31))
    for second in 2...30 {
      #expect(machine.handle(.fix(driving(Double(second))), at: .seconds(Double(second))).count == 1)
    }
    #expect(machine.handle(.wake, at: .seconds(30.9)) == [])
    #expect(machine.handle(.wake, at: .seconds(31)) == [.sync])
    // Without new entries, there is no deadline.
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.wake, at: .seconds(90)) == [])
    #expect(machine.handle(.fix(driving(31.5)), at: .seconds(31.5)) == [.append(.fix(driving(31.5)))])
    #expect(machine.nextDeadline == .seconds(61.5))
  }

  @Test func lateWakeIsMadeUpForByTheNextFix() {
    var machine = recorder()
    _ = machine.handle(.fix(driving(1)), at: .seconds(1))
    let fix = driving(8)
    #expect(machine.handle(.fix(fix), at: .seconds(31)) == [.sync, .append(.fix(fix))])
    #expect(machine.nextDeadline == .seconds(61))
  }

  @Test func goesOnAfterARestart() {
    var machine = recorder(isResumption: true)
    #expect(appended(&machine, [driving(1)]) == [.interruption(.resumed), .fix(driving(1))])
  }

  @Test func endsWithTheLastOfAStay() {
    var machine = recorder()
    #expect(appended(&machine, [standing(1), standing(2), standing(3)]).count == 2)
    #expect(machine.handle(.stop, at: .seconds(4)) == [.append(.fix(standing(3))), .close])
    #expect(machine.nextDeadline == nil)
    #expect(machine.handle(.fix(driving(5)), at: .seconds(5)) == [])
    #expect(machine.handle(.begin(isResumption: true), at: .seconds(6)) == [])
  }

  // MARK: Filters

  @Test func intervalAndDistanceHoldBack() {
    var options = LogOptions()
    options.interval = .seconds(5)
    var machine = recorder(options)
    #expect(fixes(appended(&machine, (1...16).map { driving(Double($0)) })) == [1, 6, 11, 16].map { driving($0) })
    options.interval = nil
    options.distanceFilter = Meters(45)
    machine = recorder(options)
    #expect(fixes(appended(&machine, (1...16).map { driving(Double($0)) })) == [1, 6, 11, 16].map { driving($0) })
    options.interval = .seconds(7)
    machine = recorder(options)
    #expect(fixes(appended(&machine, (1...16).map { driving(Double($0)) })) == [1, 8, 15].map { driving($0) })
  }

  @Test func clockThatGoesBackDoesNotStopTheLog() {
    var options = LogOptions()
    options.interval = .seconds(5)
    var machine = recorder(options)
    var late = driving(2)
    late.time = late.time + .seconds(-1000)
    #expect(fixes(appended(&machine, [driving(1), late])) == [driving(1), late])
  }

  @Test func accuracyIsAGate() {
    var options = LogOptions()
    options.desiredRadius68 = Meters(10)
    var machine = recorder(options)
    let good = PositionFix.at(2, radius: 10, speed: 10)
    #expect(appended(&machine, [.at(1, radius: 10.1, speed: 10)]).isEmpty)
    #expect(appended(&machine, [good]) == [.interruption(.started), .fix(good)])
    #expect(appended(&machine, [.at(3, radius: .nan, speed: 10), .at(4, radius: 0, speed: 10)]).isEmpty)
  }

  @Test func suspectFixesAreLeftOutUnlessAskedFor() {
    let suspect = PositionFix.at(2, radius: 3, speed: 10, latitude: 51, qualityFlag: .implausible)
    var machine = recorder()
    #expect(appended(&machine, [driving(1), suspect, driving(3)]).count == 3)
    var options = LogOptions()
    options.keepsSuspects = true
    options.distanceFilter = Meters(15)
    machine = recorder(options)
    // No distance is measured from the suspect fix.
    #expect(
      fixes(appended(&machine, [driving(1), suspect, driving(2), driving(3)])) == [driving(1), suspect, driving(3)])
    machine = recorder(options)
    #expect(appended(&machine, [suspect, driving(3)]) == [.interruption(.started), .fix(suspect), .fix(driving(3))])
  }

  @Test func repetitionsAreLeftOut() {
    var machine = recorder()
    var again = driving(1)
    again.receivedAt = .seconds(1.5)
    #expect(
      fixes(appended(&machine, [driving(1), driving(1), again, driving(2), driving(1.5)])) == [driving(1), driving(2)])
  }

  // MARK: Gaps

  @Test func gapPartsTheTrack() {
    var machine = recorder()
    #expect(appended(&machine, (1...3).map { driving(Double($0)) } + [driving(13)]).count == 5)
    let after = driving(23.1)
    #expect(appended(&machine, [after]) == [.interruption(.gap), .fix(after)])
  }

  @Test func slowReceiverHasNoGaps() {
    var machine = recorder()
    let fixes = stride(from: 0.0, through: 300, by: 15).map { driving($0) }
    // The interval is known with the third fix.
    #expect(appended(&machine, fixes).filter { $0 == .interruption(.gap) }.count == 2)
    #expect(appended(&machine, [driving(340)]) == [.fix(driving(340))])
    #expect(appended(&machine, [driving(386)]) == [.interruption(.gap), .fix(driving(386))])
  }

  // MARK: Standing still

  @Test func aStayIsItsFirstAndItsLast() {
    var machine = recorder()
    var random = SplitMix64(seed: 2)
    _ = appended(&machine, [driving(0), driving(1)])
    // An hour at one place, with the scatter of a good receiver and a spike now and then.
    let stay = (2...3600).map { second in
      var fix = PositionFix.at(
        Double(second), radius: 3, speed: second % 300 == 150 ? 1.5 : .random(in: 0...0.45, using: &random),
        latitude: north(20 + .random(in: -4...4, using: &random)))
      fix.speedRadius68MetersPerSecond = 0.2
      return fix
    }
    #expect(appended(&machine, stay) == [.fix(stay[0])])
    let leaving = [3601.0, 3602].map {
      PositionFix.at($0, radius: 3, speed: 3, latitude: north(20 + 3 * ($0 - 3600)))
    }
    #expect(appended(&machine, [leaving[0]]) == [])
    #expect(fixes(appended(&machine, [leaving[1]])) == [stay[stay.count - 1]] + leaving)
  }

  /// A receiver that does not report how far its positions wander.
  @Test func positionsThatLieAnywhereForAMomentAreNoDeparture() {
    var machine = recorder()
    var random = SplitMix64(seed: 3)
    let stay = (0...3600).map { second in
      standing(Double(second), at: second % 60 > 52 ? 40 : .random(in: -4...4, using: &random))
    }
    #expect(appended(&machine, stay) == [.interruption(.started), .fix(stay[0])])
    let elsewhere = (3601...3620).map { standing(Double($0), at: 40) }
    #expect(fixes(appended(&machine, elsewhere)) == [stay[3600], elsewhere[10]])
  }

  @Test func aStayIsNoGap() {
    var machine = recorder()
    _ = appended(&machine, (0..<600).map { standing(Double($0)) })
    let entries = appended(&machine, [driving(600), driving(601)])
    #expect(entries == [standing(599), driving(600), driving(601)].map { .fix($0) })
  }

  @Test func gapWithinAStayKeepsItsEnd() {
    var machine = recorder()
    _ = appended(&machine, (0...5).map { standing(Double($0)) })
    let entries = appended(&machine, [standing(100)])
    #expect(entries == [.fix(standing(5)), .interruption(.gap), .fix(standing(100))])
  }

  /// Some receivers report no speed while the machine creeps, or report zero: the positions show the movement.
  @Test func creepingIsRecordedWhereItLeads() {
    var machine = recorder()
    let creep = (0...100).map { standing(Double($0), at: 0.4 * Double($0)) }
    let reported = fixes(appended(&machine, creep))
    #expect(reported.first == creep[0] && reported.count > 4 && reported.count < 12)
  }

  @Test func walkerWithAPoorSkyIsNotStill() {
    var machine = recorder()
    let walk = (0..<60).map { second in
      var fix = PositionFix.at(Double(second), radius: 12, speed: 1.3, latitude: north(1.3 * Double(second)))
      fix.speedRadius68MetersPerSecond = 1.5
      return fix
    }
    #expect(fixes(appended(&machine, walk)) == walk)
  }

  @Test func everythingWhereStandstillIsWanted() {
    var options = LogOptions()
    options.keepsStandstill = true
    var machine = recorder(options)
    let stay = (0..<50).map { standing(Double($0)) }
    #expect(fixes(appended(&machine, stay)) == stay)
  }

  // MARK: Full disk

  @Test func stallsAndGoesOnWhenThereIsRoom() {
    var machine = recorder()
    _ = machine.handle(.fix(driving(1)), at: .seconds(1))
    #expect(machine.handle(.storageFailed, at: .seconds(2)) == [])
    #expect(machine.handle(.fix(driving(3)), at: .seconds(3)) == [])
    #expect(machine.nextDeadline == .seconds(62))
    #expect(machine.handle(.wake, at: .seconds(61)) == [])
    #expect(machine.handle(.wake, at: .seconds(62)) == [.checkStorage])
    #expect(machine.nextDeadline == .seconds(122))
    #expect(machine.handle(.storageReady, at: .seconds(62)) == [])
    #expect(appended(&machine, [driving(63)]) == [.interruption(.gap), .fix(driving(63))])
    #expect(machine.nextDeadline == .seconds(93))
  }

  // MARK: Random input

  @Test(arguments: 0..<8) func holdsWhateverComes(block: Int) {
    for seed in 0..<50 {
      var random = SplitMix64(seed: UInt64(block * 50 + seed))
      var options = LogOptions()
      if Bool.random(using: &random) { options.distanceFilter = Meters(30) }
      if Bool.random(using: &random) { options.interval = .seconds(3) }
      options.keepsSuspects = Bool.random(using: &random)
      var machine = recorder(options)
      var now = Instant.start
      var (hasBegun, isStalled, isOver) = (false, false, false)
      var unsyncedSince: Instant?
      var newest = Instant(nanoseconds: 0)
      for _ in 0..<400 {
        now = now + .milliseconds(Int.random(in: 1...4_000, using: &random))
        let input: LogRecorder.Input
        switch Int.random(in: 0..<60, using: &random) {
        case 3: input = .storageFailed
        case 4, 5: input = .storageReady
        case 6 where Int.random(in: 0..<8, using: &random) == 0: input = .stop
        case 7..<15: input = .wake
        default:
          input = .fix(
            .at(
              (now - .start).inSeconds - .random(in: 0...2, using: &random),
              radius: .random(in: 1...30, using: &random),
              speed: Bool.random(using: &random) ? .random(in: 0...2, using: &random) : nil,
              latitude: north(.random(in: 0...60, using: &random)),
              qualityFlag: Int.random(in: 0..<9, using: &random) == 0 ? .implausible : nil))
        }
        let actions = machine.handle(input, at: now)
        if isOver || isStalled, input != .storageReady {
          #expect(actions.allSatisfy { $0 == .checkStorage || $0 == .close })
        }
        for action in actions {
          switch action {
          case .append(.interruption): hasBegun = true
          case .append(.fix(let fix)):
            #expect(hasBegun, "a track begins with an interruption")
            #expect(fix.receivedAt >= newest || fix.qualityFlag != nil, "in order")
            #expect(fix.qualityFlag == nil || options.keepsSuspects)
            if fix.qualityFlag == nil { newest = fix.receivedAt }
            unsyncedSince = unsyncedSince ?? now
          case .sync:
            #expect(unsyncedSince != nil, "nothing to sync")
            unsyncedSince = nil
          case .close: isOver = true
          case .checkStorage: #expect(isStalled)
          }
        }
        switch input {
        case .storageFailed where !isOver:
          isStalled = true
          unsyncedSince = nil
        case .storageReady: isStalled = false
        default: break
        }
        // Every entry is on the disk half a minute later, if the machine is woken in time.
        if let since = unsyncedSince, !isOver {
          #expect((machine.nextDeadline ?? .seconds(1e6)) <= since + .seconds(30))
        }
        if input == .wake { #expect((machine.nextDeadline ?? .seconds(1e6)) > now) }
      }
    }
  }
}
