import LocationPolicy
import TestSupport
import Testing

/// Keys as text that people copy.
@Suite struct LogKeyTextTests {
  private let key: LogPublicKey

  init() throws {
    var random = SplitMix64(seed: 3)
    key = try #require(LogPublicKey(bytes: (0..<LogPublicKey.size).map { _ in .random(in: 0...255, using: &random) }))
  }

  @Test func isReadAsItWasWritten() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<200 {
      let bytes = (0..<LogPublicKey.size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let key = try #require(LogPublicKey(bytes: bytes))
      #expect(key.text.count == 61 && key.text.allSatisfy { $0.isLowercase || $0.isNumber })
      #expect(try LogPublicKey(key.text) == key)
      #expect(try LogPublicKey(key.text.uppercased()) == key)
      let secret = LogKeyText.secretKey.text(of: bytes)
      #expect(try LogKeyText.secretKey.bytes(of: secret) == bytes)
    }
    #expect(LogPublicKey(bytes: [1, 2, 3]) == nil)
  }

  /// The text of Python's base64.b32encode, with a CRC-24 that was computed independently.
  @Test func hasTheseLetters() {
    let text = LogKeyText.publicKey.text(of: Array("foobarfoobarfoobarfoobarfoobarfo".utf8))
    #expect(text.hasPrefix("seal1mzxw6ytboj"))
    #expect(text == "seal1mzxw6ytbojtg633cmfzgm33pmjqxeztpn5rgc4tgn5xweylsmzxzysbp")
  }

  /// Every letter replaced by every other, and every two neighboring letters exchanged.
  @Test func everyTypoIsFound() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
    let word = Array(key.text)
    for position in 5..<word.count {
      for letter in letters where letter != word[position] {
        var typo = word
        typo[position] = letter
        #expect(throws: LogKeyTextError.check) { _ = try LogPublicKey(String(typo)) }
      }
      guard position + 1 < word.count, word[position] != word[position + 1] else { continue }
      var typo = word
      typo.swapAt(position, position + 1)
      #expect(throws: LogKeyTextError.check) { _ = try LogPublicKey(String(typo)) }
    }
  }

  @Test func invalidKeySaysWhy() {
    let text = key.text
    let secret = LogKeyText.secretKey.text(of: key.bytes)
    let cases: [(String, LogKeyTextError)] = [
      ("", .other), ("trip.pub", .other), ("seal", .other), (secret, .secret),
      ("seal1", .length(expected: 56, found: 0)), (String(text.dropLast()), .length(expected: 56, found: 55)),
      (text + "a", .length(expected: 56, found: 57)), (String(text.dropLast()) + "1", .character),
      (String(text.dropLast()) + " ", .character), (String(text.dropLast(2)) + "ä", .character),
    ]
    for (word, error) in cases { #expect(throws: error) { _ = try LogPublicKey(word) } }
    #expect(throws: LogKeyTextError.public) { _ = try LogKeyText.secretKey.bytes(of: text) }
    // The checksum also includes the prefix: one half of the key cannot be turned into the other by hand.
    #expect(throws: LogKeyTextError.check) { _ = try LogPublicKey("seal1" + secret.dropFirst("sealsecret1".count)) }
  }
}
