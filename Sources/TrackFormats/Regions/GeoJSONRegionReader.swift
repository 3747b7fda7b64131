package import Geodesy

/// Reads the regions of GeoJSON (RFC 7946) as its bytes arrive: from a feature collection, a feature or geometry, or several of
/// them one after another (newline-delimited, or a text sequence as in RFC 8142). Members may have any order.
package struct GeoJSONRegionReader: RegionFileReader {
  /// The kind of an open list or object.
  private enum Role {
    /// The outermost object.
    case file
    case features, feature, geometry, coordinates, properties
    /// GeoJSON of 2008, section 3: `crs`, and its `properties`.
    case coordinateSystem, coordinateSystemProperties
    case other
  }

  private let defaultRadius: Meters?
  private var tokenizer = JSONTokenizer()
  private var roles: [Role] = []
  /// The last member's name.
  private var key = ""
  private var isEmpty = true
  /// The outermost object's own `type`, and whether it has `features`.
  private var type: String?
  private var hasFeatures = false
  private var feature = RegionFeature(number: 1, line: 1)
  private var geometry = GeoJSONGeometry()
  package private(set) var remarks = RegionFileSummary()
  private var found: [FoundRegion] = []

  /// - Parameter defaultRadius: the radius of points without a property `radius`, in meters; `nil`: they are omitted.
  package init(defaultRadius: Meters? = nil) { self.defaultRadius = defaultRadius }

  package mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [FoundRegion] {
    var offset = 0
    while let token = try next(in: bytes, at: &offset) { try consume(token, at: tokenizer.place(offset)) }
    defer { found = [] }
    return found
  }

  package mutating func finish() throws(RegionImportError) -> [FoundRegion] {
    do throws(JSONProblem) { try tokenizer.finish() } catch { throw RegionImportError(error) }
    guard !isEmpty else { throw .cutOff(tokenizer.place(0)) }
    return []
  }

  private mutating func next(
    in bytes: Span<UInt8>, at offset: inout Int
  ) throws(RegionImportError) -> JSONToken? {
    do throws(JSONProblem) { return try tokenizer.next(in: bytes, at: &offset) } catch {
      throw RegionImportError(error)
    }
  }

  private mutating func consume(_ token: JSONToken, at place: TextPosition) throws(RegionImportError) {
    switch token {
    case .key(let name): key = name
    case .objectStart, .listStart: try start(token, at: place)
    case .objectEnd, .listEnd: try end(at: place)
    case .number(let number):
      if roles.last == .coordinates { geometry.positions?.number(number) } else { try consume(value: token, at: place) }
    case .text, .flag, .null: try consume(value: token, at: place)
    }
  }

  // MARK: - Lists and objects

  private mutating func start(_ token: JSONToken, at place: TextPosition) throws(RegionImportError) {
    let isObject = token == .objectStart
    let role: Role
    switch (roles.last, key, isObject) {
    case (nil, _, true):
      role = .file
      (type, hasFeatures, isEmpty) = (nil, false, false)
      beginFeature(at: place)
    case (nil, _, false): throw .notJSON(.object, place)
    case (.file, "features", false):
      role = .features
      hasFeatures = true
    case (.file, "crs", true): role = .coordinateSystem
    case (.features, _, true):
      role = .feature
      beginFeature(at: place)
    case (.file, "geometry", true), (.feature, "geometry", true):
      role = .geometry
      geometry = GeoJSONGeometry()
      geometry.isPresent = true
    case (.file, "coordinates", false), (.geometry, "coordinates", false):
      if geometry.isOtherShape {
        role = .other
      } else {
        role = .coordinates
        geometry.positions = GeoJSONPositions()
        geometry.positions?.listStart()
      }
    case (.coordinates, _, false):
      role = .coordinates
      geometry.positions?.listStart()
    case (.coordinates, _, true):
      role = .other
      geometry.positions?.otherValue()
    case (.file, "properties", true), (.feature, "properties", true): role = .properties
    case (.coordinateSystem, "properties", true): role = .coordinateSystemProperties
    case (.file, "geometry", false), (.feature, "geometry", false), (.geometry, "coordinates", true):
      role = .other
      geometry.isPresent = true
      geometry.isUnreadable = true
    case (.features, _, false), (.file, _, _), (.feature, _, _), (.geometry, _, _), (.properties, _, _),
      (.coordinateSystem, _, _), (.coordinateSystemProperties, _, _), (.other, _, _):
      role = .other
    }
    roles.append(role)
  }

  private mutating func end(at place: TextPosition) throws(RegionImportError) {
    switch roles.removeLast() {
    case .coordinates: geometry.positions?.listEnd()
    case .feature: endFeature()
    case .file: try endFile(at: place)
    case .features, .geometry, .properties, .coordinateSystem, .coordinateSystemProperties, .other: break
    }
  }

  private mutating func endFile(at place: TextPosition) throws(RegionImportError) {
    switch type {
    case "FeatureCollection" where hasFeatures: break
    case "Feature" where !hasFeatures: endFeature()
    case let type? where GeoJSONGeometry.types.contains(type) && !hasFeatures:
      geometry.type = type
      geometry.isPresent = true
      endFeature()
    case _: throw .notGeoJSON(type: type, place)
    }
  }

  private mutating func beginFeature(at place: TextPosition) {
    feature = RegionFeature(number: remarks.features + 1, line: place.line)
    geometry = GeoJSONGeometry()
  }

  private mutating func endFeature() {
    remarks.features += 1
    geometry.add(to: &feature, remarks: &remarks)
    found += feature.regions(defaultRadius: defaultRadius, remarks: &remarks)
    geometry = GeoJSONGeometry()
  }

  // MARK: - Values

  private mutating func consume(value: JSONToken, at place: TextPosition) throws(RegionImportError) {
    guard let role = roles.last else { throw .notJSON(.object, place) }
    switch (role, key) {
    case (.file, "type"):
      guard case .text(let name) = value,
        name == "FeatureCollection" || name == "Feature" || GeoJSONGeometry.types.contains(name)
      else { throw .notGeoJSON(type: text(value), place) }
      type = name
      // Coordinates that follow belong to a geometry of this type.
      if GeoJSONGeometry.types.contains(name) { geometry.type = name }
    case (.geometry, "type"): geometry.type = text(value)
    case (.file, "geometry"), (.feature, "geometry"):
      geometry = GeoJSONGeometry()
      geometry.isPresent = value != .null
      geometry.isUnreadable = true
    case (.file, "coordinates"), (.geometry, "coordinates"): geometry.isUnreadable = true
    case (.coordinates, _): geometry.positions?.otherValue()
    case (.file, "id"), (.feature, "id"): if let text = text(value) { feature.offer(name: text, from: .feature) }
    case (.properties, _):
      guard let text = text(value) else { return }
      let number: Double? = if case .number(let number) = value { number } else { Self.number(text) }
      feature.offer(property: key, text: text, number: number)
    case (.coordinateSystemProperties, "name"):
      if let name = text(value), !CoordinateSystem.isInDegrees(name) { throw .otherCoordinateSystem(name, place) }
    case (.file, _), (.feature, _), (.features, _), (.geometry, _), (.coordinateSystem, _),
      (.coordinateSystemProperties, _), (.other, _):
      break
    }
  }

  /// A text or number as written.
  private func text(_ value: JSONToken) -> String? {
    switch value {
    case .text(let text): text
    case .number: tokenizer.numberText
    case .key, .flag, .null, .objectStart, .objectEnd, .listStart, .listEnd: nil
    }
  }

  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 32 else { return nil }
    return JSONNumber.parse(Array(text.utf8))
  }
}
