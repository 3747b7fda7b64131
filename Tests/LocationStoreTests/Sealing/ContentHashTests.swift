import LocationStore
import Testing

@Suite struct ContentHashTests {
  /// The examples of FIPS 180-4 that NIST publishes ("SHA256.pdf"), in pieces of different lengths.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ), ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ]) func publishedExamples(text: String, expected: String) {
    let bytes = Array(text.utf8)
    for length in [1, 3, 64] {
      var hash = SHA256()
      var rest = bytes[...]
      while !rest.isEmpty {
        hash.add(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      #expect(hash.finish() == expected)
    }
  }
}
