/// Gives each region of a file a name of its own: of several with the same, the later ones get " 2", " 3" and so on.
///
/// It keeps 64 bits of each name, not the name: of a million, two differ and look alike once in 40 million files, and then the
/// later one has a number behind it.
struct RegionNames: Sendable {
  /// How many have had a name, under the name's hash.
  private var uses: [Int: UInt32] = [:]

  mutating func unique(_ name: String) -> String {
    let hash = name.hashValue
    guard var count = uses[hash] else {
      uses[hash] = 1
      return name
    }
    var numbered: String
    repeat {
      count += 1
      numbered = "\(name) \(count)"
    } while uses[numbered.hashValue] != nil
    uses[hash] = count
    uses[numbered.hashValue] = 1
    return numbered
  }
}
