import Foundation
import Geodesy
import Glibc
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// A process that logs ten fixes per second, with a sync every 0.2 s, is killed again and again, always with the same log.
@Suite struct KilledLoggerTests {
  private static let isSoak = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"

  @Test(arguments: [(TrackKind.open, isSoak ? 1000 : 50), (.sealed, isSoak ? 1000 : 20)])
  func nothingSyncedIsLostAndNothingIsWrong(kind: TrackKind, rounds: Int) throws {
    let place = try TemporaryFolder()
    let folder = TrackFolder(place.path)
    var random = SplitMix64(seed: UInt64(getpid()))
    var (next, promised) = (0, 0)
    let publicKey = kind.key.map { [$0.publicKey.text] } ?? []
    for round in 0..<rounds {
      do {
        let logger = try HelperProcess(
          "track-logger", [place.path, "\(next)", "10", "200"] + publicKey, environment: [:])
        // At some time after a reported sync: before, during or after the next one.
        for _ in 0..<Int.random(in: 1...2, using: &random) { promised = try #require(Self.synced(logger.next())) }
        try #require(poll(milliseconds: .random(in: 0...210, using: &random)))
        logger.kill()
        // The logger may have reported more syncs before it ended.
        while let line = logger.next() { promised = try #require(Self.synced(line)) }
      }
      var reader = try TrackReader(folder: folder, key: kind.key)
      next = 0
      while let entry = reader.next() {
        switch entry {
        case .fix(let fix):
          #expect(fix == LoggedDrive.fix(next), "round \(round)")
          next += 1
        case .interruption(let reason):
          #expect(reason == (next == 0 ? .started : .resumed), "round \(round), before \(next)")
        }
      }
      #expect(next >= promised, "round \(round): \(promised) were synced, \(next) are there")
      let damage = reader.damage
      #expect(damage == TrackDamage(), "round \(round)")
    }
    #expect(try folder.segments().count == rounds)
  }

  private static func synced(_ line: [UInt8]?) -> Int? {
    let words = String(decoding: line ?? [], as: UTF8.self).split(separator: " ")
    return words.first == "synced" ? words.last.flatMap { Int($0) } : nil
  }

  /// The time of the kill is the only thing here that must be random.
  private func poll(milliseconds: Int) -> Bool { Glibc.poll(nil, 0, Int32(milliseconds)) == 0 }
}
