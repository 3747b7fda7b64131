import Geodesy
import Regions
import TestSupport
import Testing
import WireFormats

/// Regions across a restart, and invalid bytes.
@Suite struct RegionFileTests {
  private func monitor(seed: UInt64 = 3, _ count: Int = 40) throws -> RegionMonitor {
    var random = RandomShapes(random: SplitMix64(seed: seed))
    var monitor = RegionMonitor()
    for number in 0..<count {
      let region = try Region(
        identifier: "région \(number)", shape: try random.shape(.world), notifiesOnEntry: number % 2 == 0,
        notifiesOnExit: number % 3 == 0)
      let state = RegionState(rawValue: UInt8(number % 3)) ?? .unknown
      _ = monitor.handle(.add(region, assuming: state), at: Instant(nanoseconds: 0))
    }
    return monitor
  }

  private func contents(_ monitor: RegionMonitor) -> [String: String] {
    Dictionary(uniqueKeysWithValues: monitor.watched.map { ($0.region.identifier, "\($0.region) \($0.state)") })
  }

  @Test func writtenDataIsRead() throws {
    let monitor = try monitor()
    let bytes = RegionFile.encode(monitor)
    let again = try RegionFile.decode(bytes.span)
    #expect(contents(again) == contents(monitor))
    #expect(contents(again).count == 40)
    // The same regions give the same bytes, whatever the order in which they were added.
    #expect(RegionFile.encode(again) == bytes)
    #expect(try RegionFile.decode(RegionFile.encode(RegionMonitor()).span).count == 0)
  }

  /// A single region is a file with one region, and no other file is accepted as one.
  @Test func oneByItself() throws {
    let monitor = try monitor(9)
    for (region, state) in monitor.watched {
      let bytes = RegionFile.encode(region, state)
      let one = try RegionFile.decodeOne(bytes.span)
      #expect(one == (region, state) && monitor.watched(region.identifier).map { $0 == one } == true)
      for count in 0..<bytes.count {
        #expect(throws: RegionFileError.self) { try RegionFile.decodeOne(bytes.span.extracting(0..<count)) }
      }
    }
    #expect(monitor.watched("none") == nil)
    // The known state of a region is the same whether it comes from the file or is set afterwards.
    for state in RegionState.allCases {
      var (assumed, added) = (monitor, RegionMonitor())
      for (region, _) in monitor.watched {
        assumed.assume(state, of: region.identifier)
        _ = added.handle(.add(region, assuming: state), at: Instant(nanoseconds: 0))
      }
      assumed.assume(state, of: "none")
      #expect(contents(assumed) == contents(added))
      #expect(assumed.distanceToNearestBorder == added.distanceToNearestBorder)
      let fix = PositionFix.at(0, Coordinate(10, 20))
      #expect(
        Set(assumed.handle(.fix(fix), at: fix.receivedAt)) == Set(added.handle(.fix(fix), at: fix.receivedAt)))
      #expect(assumed.distanceToNearestBorder == added.distanceToNearestBorder)
    }
    #expect(throws: RegionFileError.count(9)) { try RegionFile.decodeOne(RegionFile.encode(monitor).span) }
    #expect(throws: RegionFileError.count(0)) { try RegionFile.decodeOne(RegionFile.encode(RegionMonitor()).span) }
  }

  /// One region by hand: a circle of 100 m around 1° N 2° E with the device inside, and both kinds of notification.
  @Test func bytesByHand() throws {
    func number(_ value: Double) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    let bytes = RegionFile.sealed(
      Array("REGN".utf8) + [1, 1, 0, 0, 0, 0b0_1101, 2, 0] + Array("me".utf8) + number(1) + number(2) + number(100))
    #expect(bytes.count == 42)
    let monitor = try RegionFile.decode(bytes.span)
    let circle = try CircleShape(center: Coordinate(1, 2), radius: Meters(100))
    let only = try #require(Array(monitor.watched).first)
    #expect(only.region == (try Region(identifier: "me", shape: .circle(circle))) && only.state == .inside)
    #expect(RegionFile.encode(monitor) == bytes)
  }

  @Test func everyCutIsRefused() throws {
    let bytes = RegionFile.encode(try monitor(6))
    for count in 0..<bytes.count {
      #expect(throws: RegionFileError.self) { try RegionFile.decode(bytes.span.extracting(0..<count)) }
    }
    // Also with a correct checksum.
    for count in 0..<bytes.count - 4 {
      let cut = RegionFile.sealed(Array(bytes[..<count]))
      #expect(throws: RegionFileError.self) { try RegionFile.decode(cut.span) }
    }
  }

  @Test func everyBitCounts() throws {
    let bytes = RegionFile.encode(try monitor(3))
    for bit in 0..<8 * bytes.count {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: RegionFileError.self) { try RegionFile.decode(wrong.span) }
    }
  }

  /// Bytes changed at random with a correct checksum: rejected, or regions that are unchanged after they are written and read
  /// again.
  @Test func hostileBytes() throws {
    let bytes = RegionFile.encode(try monitor(8))
    var random = SplitMix64(seed: 77)
    var (refused, read) = (0, 0)
    for _ in 0..<2000 {
      var wrong = Array(bytes.dropLast(4))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        wrong[Int.random(in: 5..<wrong.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do throws(RegionFileError) {
        let monitor = try RegionFile.decode(RegionFile.sealed(wrong).span)
        let again = try RegionFile.decode(RegionFile.encode(monitor).span)
        #expect(contents(again) == contents(monitor))
        read += 1
      } catch {
        refused += 1
      }
    }
    #expect(refused > 100 && read > 100)
  }

  @Test func whyItIsRefused() throws {
    let one = Array(RegionFile.encode(try monitor(1)).dropLast(4))
    func refusal(_ bytes: [UInt8]) -> RegionFileError? {
      do throws(RegionFileError) {
        _ = try RegionFile.decode(RegionFile.sealed(bytes).span)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(one) == nil)
    #expect(refusal(Array("REGX".utf8) + one[4...]) == .magic)
    #expect(refusal(one[..<4] + [2] + one[5...]) == .version(2))
    #expect(refusal(one[..<5] + [0xFF, 0xFF, 0xFF, 0xFF] + one[9...]) == .count(0xFFFF_FFFF))
    #expect(refusal(one + [0]) == .length(offset: one.count))
    #expect(refusal(one[..<9] + [0x20] + one[10...]) == .flags(0x20, offset: 9))
    #expect(refusal(one[..<9] + [0x03] + one[10...]) == .flags(3, offset: 9))
    #expect(refusal(one[..<12] + [0xFF] + one[13...]) == .identifier(offset: 12))
    #expect(refusal(one[..<5] + [2, 0, 0, 0] + one[9...] + one[9...]) == .repeated("région 0"))
  }
}
