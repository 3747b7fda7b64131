/// Finds a slot by its identifier: four bytes for an identifier beside the identifier itself, and half as many empty.
struct IdentifierTable: Sendable {
  private static let empty = UInt32.max
  private static let gone = UInt32.max - 1

  private var places: [UInt32] = []
  /// Places that are not empty.
  private var used = 0

  /// The slot of an identifier, byte for byte.
  func slot(of identifier: String, among names: [String]) -> UInt32? {
    place(of: identifier, among: names).map { places[$0] }
  }

  /// Takes in a slot that has an identifier; `false`, and nothing is changed, where another slot has it.
  mutating func add(_ slot: UInt32, among names: [String]) -> Bool {
    if 4 * (used + 1) > 3 * places.count { grow(among: names) }
    let (found, free) = search(names[Int(slot)], among: names)
    guard found == nil else { return false }
    if places[free] == Self.empty { used += 1 }
    places[free] = slot
    return true
  }

  mutating func remove(_ identifier: String, among names: [String]) {
    guard let place = place(of: identifier, among: names) else { return }
    places[place] = Self.gone
  }

  mutating func reserveCapacity(_ count: Int) {
    guard places.isEmpty, count > 0 else { return }
    places = Self.empty(for: count)
  }

  private static func empty(for count: Int) -> [UInt32] {
    var size = 16
    while 3 * size < 4 * (count + 1) { size *= 2 }
    return [UInt32](repeating: empty, count: size)
  }

  private func place(of identifier: String, among names: [String]) -> Int? {
    places.isEmpty ? nil : search(identifier, among: names).found
  }

  /// Where an identifier's slot stands, and the first place where it could.
  private func search(_ identifier: String, among names: [String]) -> (found: Int?, free: Int) {
    var place = identifier.hashValue & (places.count - 1)
    var free: Int?
    while places[place] != Self.empty {
      if places[place] == Self.gone {
        free = free ?? place
      } else if names[Int(places[place])].utf8.elementsEqual(identifier.utf8) {
        return (place, free ?? place)
      }
      place = (place + 1) & (places.count - 1)
    }
    return (nil, free ?? place)
  }

  private mutating func grow(among names: [String]) {
    let slots = places.filter { $0 < Self.gone }
    places = Self.empty(for: 2 * slots.count + 1)
    for slot in slots {
      // No two are alike, so that nothing needs to be compared.
      var place = names[Int(slot)].hashValue & (places.count - 1)
      while places[place] != Self.empty { place = (place + 1) & (places.count - 1) }
      places[place] = slot
    }
    used = slots.count
  }
}
