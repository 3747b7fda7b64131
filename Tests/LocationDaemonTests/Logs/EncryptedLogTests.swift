import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// Encrypted logs in the service.
@Suite struct EncryptedLogTests {
  private let done = ServiceEvent.done(RequestID(1))
  private let owner = OwnerKey()

  private func start(_ name: String, publicKey: String?) -> LogRequest {
    var options = LogOptions()
    options.keepsStandstill = true
    return .start(name: name, options, publicKey: publicKey)
  }

  private func failed(_ failure: LogFailure) -> ServiceEvent { .failed(RequestID(1), .log(failure)) }

  @Test func isReadByItsOwnerAlone() throws {
    let bed = LogServiceBed()
    let key = owner.publicKey.text
    #expect(bed.ask(start("a", publicKey: key)) == done)
    bed.drive(0..<500)
    #expect(try bed.open("a", owner) == 500)
    #expect(bed.ask(.read(name: "a", from: nil, to: nil)) == failed(.sealed(name: "a", key: key)))
    #expect(throws: EncryptedTrackError.otherKey(owner.publicKey)) { _ = try bed.open("a", OwnerKey()) }
    // Only the day of a log is shown, while it is recorded and afterwards.
    for _ in 0..<2 {
      let log = try #require(bed.logs.first)
      #expect(log.publicKey == key)
      for time in [log.begin, log.end] {
        #expect(time?.date == LoggedDrive.fix(0).time.date && time?.nanosecondsSinceMidnight == 0)
      }
      bed.end()
    }
    #expect(try LogServiceBed(bed.folder, records: false).open("a", owner) == 500)
  }

  @Test func readingGoesOnPageByPage() throws {
    let bed = LogServiceBed()
    #expect(bed.ask(start("a", publicKey: owner.publicKey.text)) == done)
    bed.drive(0..<20_000)
    guard case .log(_, .sealed(let page))? = bed.ask(.readSealed(name: "a", from: nil, to: nil)) else {
      Issue.record("no page")
      return
    }
    #expect(page.next != nil && page.pieces.count > 3)
    #expect(try bed.open("a", owner) == 20_000)
  }

  @Test func whatALogIsDoesNotChange() throws {
    let bed = LogServiceBed()
    let (key, other) = (owner.publicKey.text, OwnerKey().publicKey.text)
    #expect(bed.ask(start("open", publicKey: nil)) == done)
    #expect(bed.ask(start("open", publicKey: key)) == failed(.differentPublicKey(name: "open", key: nil)))
    #expect(bed.ask(.readSealed(name: "open", from: nil, to: nil)) == failed(.notSealed(name: "open")))
    #expect(bed.ask(start("sealed", publicKey: key)) == done)
    #expect(bed.ask(start("sealed", publicKey: other)) == failed(.differentPublicKey(name: "sealed", key: key)))
    bed.drive(0..<20)
    // The new options apply from now on, and the log stays encrypted.
    #expect(bed.ask(start("sealed", publicKey: nil)) == done)
    bed.drive(20..<40)
    #expect(try bed.open("sealed", owner) == 40)
    #expect(bed.logs.map(\.publicKey) == [nil, key])
    // To change the key, its owner removes the log.
    #expect(bed.ask(.remove(name: "sealed")) == done)
    #expect(bed.ask(start("sealed", publicKey: other)) == done)
  }

  @Test func goesOnEncryptedAfterARestart() throws {
    let bed = LogServiceBed()
    #expect(bed.ask(start("a", publicKey: owner.publicKey.text)) == done)
    bed.drive(0..<20)
    bed.end()
    // This also holds if the index is lost: the log's note contains its key.
    for isLost in [false, true] {
      if isLost { for file in try bed.files where file.hasPrefix("index") { try bed.remove(file) } }
      let next = LogServiceBed(bed.folder)
      next.begin()
      let before = try next.open("a", owner)
      next.drive(100..<120)
      #expect(try next.open("a", owner) == before + 20)
      #expect(next.ask(.read(name: "a", from: nil, to: nil)) != nil)
      #expect(next.logs.first?.publicKey == owner.publicKey.text)
      next.end()
    }
  }

  @Test func invalidKeyIsRefused() throws {
    let bed = LogServiceBed()
    let nothing = try #require(LogPublicKey(bytes: [UInt8](repeating: 0, count: LogPublicKey.size))).text
    for text in ["", "seal1", nothing, String(owner.publicKey.text.dropLast()), owner.text] {
      #expect(bed.ask(start("a", publicKey: text)) == failed(.invalidPublicKey(text)))
    }
    #expect(bed.logs.isEmpty)
  }
}
