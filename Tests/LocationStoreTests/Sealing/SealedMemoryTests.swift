import Foundation
import Geodesy
import LocationPolicy
@testable import LocationStore
import TestSupport
import Testing

/// What is on the machine today, in memory and on the disk, is tried with the blocks that it wrote yesterday.
@Suite final class SealedMemoryTests {
  private let place: TemporaryFolder
  private let folder: TrackFolder
  private let owner = OwnerKey()
  private let logger: HelperProcess

  init() throws {
    place = try TemporaryFolder()
    folder = TrackFolder(place.path)
    logger = try HelperProcess("track-logger", ["told", place.path, owner.publicKey.text], environment: [:])
  }

  private func send(_ words: String...) throws {
    for word in words {
      try logger.send(word + "\n")
      try #require(logger.next() == Array("done".utf8))
    }
  }

  /// The blocks that are on the disk now.
  private func blocks() throws -> [[UInt8]] {
    let bytes = try bytes(of: folder.path(of: 1))
    return stride(from: SegmentHeader.blocksOffset, to: bytes.count, by: TrackBlock.size).map { offset in
      Array(bytes[offset..<min(offset + TrackBlock.size, bytes.count)])
    }.filter { block in block.contains { $0 != 0 } }
  }

  @Test func theMemoryAndTheDiskOfTodayOpenNothingOfYesterday() throws {
    try send("add 20", "sync", "add 20", "sync", "add 100", "sync")
    let yesterday = try blocks()
    #expect(yesterday.count >= 5)
    let memory = try ProcessMemory(of: logger.processID)
    let disk = try bytes(of: folder.path(of: 1))
    try send("add 20", "sync")
    let number = try #require(folder.header(of: 1)).number
    let all = try blocks()
    #expect(all.count == yesterday.count + 1 && Array(all[..<yesterday.count]) == yesterday)

    // The memory contains the key of the blocks that were written afterwards, which shows that the search would find a key.
    let secret = try LogKeyText.secretKey.bytes(of: owner.text)
    let attempt = KeySearch(segment: number, secret: secret, blocks: all)
    let found = memory.regions.reduce(KeySearch.Result()) { $0 + attempt.search($1) }
    #expect(found.opened == [all.count - 1], "the present alone, of \(found.candidates) keys tried")
    #expect(found.candidates > 0 && !found.hasSecret)
    let onDisk = attempt.search(disk)
    #expect(onDisk.opened.isEmpty && !onDisk.hasSecret && onDisk.candidates > 1000)

    // Their owner can decrypt all of them.
    let fixes = (0..<160).map { TrackEntry.fix(LoggedDrive.fix($0)) }
    #expect(try open(folder, owner).entries == fixes)
  }

  /// Not only the keys are gone: the memory no longer contains the unencrypted fixes either.
  @Test func theMemoryOfTodayHoldsNoPlaceOfYesterday() throws {
    for _ in 0..<20 { try send("add 50", "sync") }
    try send("add 20")
    let memory = try ProcessMemory(of: logger.processID)
    var numbers: [UInt64: Int] = [:]
    for number in 0..<1020 {
      let coordinate = LoggedDrive.fix(number).coordinate
      for degrees in [coordinate.latitude.degrees, coordinate.longitude.degrees] {
        numbers[degrees.bitPattern] = number
        numbers[UInt64(bitPattern: Int64((degrees * 1e9).rounded()))] = number
      }
    }
    var found: Set<Int> = []
    for region in memory.regions {
      var value: UInt64 = 0
      for byte in region {
        value = value >> 8 | UInt64(byte) << 56
        if let number = numbers[value] { found.insert(number) }
      }
    }
    // The fixes that wait to be written are in memory, which shows that the search would find the others.
    #expect(found.isSuperset(of: 1000..<1020))
    #expect(found.filter { $0 < 1000 }.sorted() == [])
  }
}
