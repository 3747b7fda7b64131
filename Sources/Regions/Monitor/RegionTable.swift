import Geodesy

/// Regions by their identifiers, with their geometry and states.
struct RegionTable: Sendable {
  private(set) var index = RegionIndex()
  private var names: [String] = []
  private var table = IdentifierTable()
  /// Bits 0 and 1: the state; 2: notifies on entry; 3: on exit.
  private var flags: [UInt8] = []

  var count: Int { index.count }
  /// Bytes of the identifiers and coordinates of all regions (`Region.bytes`).
  private(set) var bytes = 0

  mutating func reserveCapacity(_ count: Int) {
    index.reserveCapacity(count)
    names.reserveCapacity(count)
    flags.reserveCapacity(count)
    table.reserveCapacity(count)
  }

  func slot(of identifier: String) -> UInt32? { table.slot(of: identifier, among: names) }

  /// All slots in use.
  var slots: some Sequence<UInt32> { (0..<index.slotEnd).lazy.filter { index.has($0) } }

  /// All slots in use, neighbors together.
  var slotsAlongCurve: [UInt32] {
    var keys = slots.map { (key: index.curveKey($0), slot: $0) }
    keys.sort { ($0.key, $0.slot) < ($1.key, $1.slot) }
    return keys.map(\.slot)
  }

  func identifier(_ slot: UInt32) -> String { names[Int(slot)] }

  func region(_ slot: UInt32) -> Region? {
    guard let shape = index.shape(of: slot) else { return nil }
    return try? Region(
      identifier: names[Int(slot)], shape: shape, notifiesOnEntry: flags[Int(slot)] & 4 != 0,
      notifiesOnExit: flags[Int(slot)] & 8 != 0)
  }

  func state(_ slot: UInt32) -> RegionState { RegionState(rawValue: flags[Int(slot)] & 3) ?? .unknown }

  mutating func set(_ state: RegionState, _ slot: UInt32) {
    flags[Int(slot)] = flags[Int(slot)] & ~3 | state.rawValue
  }

  /// Whether the owner of a region has requested events for this change of state.
  func wants(_ state: RegionState, _ slot: UInt32) -> Bool { flags[Int(slot)] & (state == .inside ? 4 : 8) != 0 }

  /// Adds a region whose identifier is not in the table.
  mutating func add(_ region: Region, _ state: RegionState) -> UInt32 {
    let slot = index.add(region.shape)
    _ = put(region, state, slot)
    return slot
  }

  /// Adds one of many; call `finish` after the last. `false`: its identifier is a duplicate, and this table must not be used any
  /// more.
  mutating func append(_ region: Region, _ state: RegionState) -> Bool {
    put(region, state, index.append(region.shape))
  }

  mutating func finish() { index.divide() }

  mutating func setNotifications(of region: Region, _ slot: UInt32) {
    flags[Int(slot)] = flags[Int(slot)] & 3 | (region.notifiesOnEntry ? 4 : 0) | (region.notifiesOnExit ? 8 : 0)
  }

  mutating func remove(_ slot: UInt32) {
    bytes -= region(slot)?.bytes ?? 0
    table.remove(names[Int(slot)], among: names)
    index.remove(slot)
    names[Int(slot)] = ""
    flags[Int(slot)] = 0
  }

  private mutating func put(_ region: Region, _ state: RegionState, _ slot: UInt32) -> Bool {
    bytes += region.bytes
    if Int(slot) == names.count {
      names.append(region.identifier)
      flags.append(state.rawValue)
    } else {
      names[Int(slot)] = region.identifier
      flags[Int(slot)] = state.rawValue
    }
    setNotifications(of: region, slot)
    return table.add(slot, among: names)
  }
}

/// Finds a slot by its identifier, which the caller stores. It has four bytes for each entry, and at most three
/// quarters of its entries are in use.
struct IdentifierTable: Sendable {
  private static let empty = UInt32.max
  private static let gone = UInt32.max - 1

  private var places: [UInt32] = []
  /// The number of entries that are not empty.
  private var used = 0

  /// The slot of an identifier, compared byte for byte.
  func slot(of identifier: String, among names: [String]) -> UInt32? {
    place(of: identifier, among: names).map { places[$0] }
  }

  /// Adds a slot by its identifier; `false`, without any change, if another slot has the same identifier.
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

  /// The entry of an identifier, and the first entry that is free for it.
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
      // All identifiers are distinct, so no comparison is needed.
      var place = names[Int(slot)].hashValue & (places.count - 1)
      while places[place] != Self.empty { place = (place + 1) & (places.count - 1) }
      places[place] = slot
    }
    used = slots.count
  }
}
