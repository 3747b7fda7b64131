package import Geodesy

/// Reads the regions of KML (OGC 07-147r2, KML 2.2) as its bytes arrive: the points and polygons of its placemarks.
package struct KMLRegionReader: RegionFileReader {
  /// The kind of an open element.
  private enum Element {
    case container, placemark, name
    /// `ExtendedData` with its content: an untyped `Data` with a `value`, and `SchemaData` with `SimpleData`.
    case extendedData
    case data(String), value(String)
    case multiGeometry, point, polygon
    case outerBoundary, innerBoundary, ring
    case coordinates
    case other
  }

  private let defaultRadius: Meters?
  private var scanner = XMLScanner()
  private var elements: [Element] = []
  private var hasRoot = false
  private var feature: RegionFeature?
  private var text = ""
  private var coordinates = KMLCoordinates()
  /// The outer boundary of the current polygon, once it has ended.
  private var outer: RegionFeature.Shape?
  package private(set) var remarks = RegionFileSummary()
  private var found: [FoundRegion] = []

  /// - Parameter defaultRadius: the radius of points without a `Data` named "radius", in meters; `nil`: they are omitted.
  package init(defaultRadius: Meters? = nil) { self.defaultRadius = defaultRadius }

  package mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [FoundRegion] {
    scanner.receive(bytes)
    return try read()
  }

  package mutating func finish() throws(RegionImportError) -> [FoundRegion] {
    scanner.finish()
    let last = try read()
    guard hasRoot else { throw .cutOff(scanner.place(scanner.offset)) }
    return last
  }

  private mutating func read() throws(RegionImportError) -> [FoundRegion] {
    while let token = try scanner.next(orThrow: RegionImportError.self) {
      switch token {
      case .start(let name, let attributes): try start(name, attributes)
      case .end:
        // The scanner has matched start and end tags.
        guard let element = elements.popLast() else { break }
        end(element)
      case .text(let piece): consume(piece)
      }
    }
    defer { found = [] }
    return found
  }

  private mutating func start(_ name: String, _ attributes: [String: String]) throws(RegionImportError) {
    let element: Element
    switch (elements.last, name) {
    case (nil, _):
      let place = scanner.place(scanner.offset)
      // The root element contains all others.
      guard !hasRoot else { throw .notXML(place) }
      guard name == "kml" else { throw .notKML(root: name, place) }
      if let encoding = scanner.foreignEncoding { throw .otherEncoding(encoding, place) }
      hasRoot = true
      element = .container
    case (.container, "Placemark"):
      element = .placemark
      var feature = RegionFeature(number: remarks.features + 1, line: scanner.place(scanner.offset).line)
      if let id = attributes["id"] { feature.offer(name: id, from: .feature) }
      self.feature = feature
    case (.container, "Document"), (.container, "Folder"): element = .container
    case (.placemark, "name"): element = .name
    case (.placemark, "ExtendedData"), (.extendedData, "SchemaData"): element = .extendedData
    case (.extendedData, "Data"): element = .data(attributes["name"] ?? "")
    case (.extendedData, "SimpleData"): element = .value(attributes["name"] ?? "")
    case (.data(let property), "value"): element = .value(property)
    case (.placemark, "MultiGeometry"), (.multiGeometry, "MultiGeometry"): element = .multiGeometry
    case (.placemark, "Point"), (.multiGeometry, "Point"): element = .point
    case (.placemark, "Polygon"), (.multiGeometry, "Polygon"):
      element = .polygon
      outer = nil
    case (.placemark, _), (.multiGeometry, _):
      element = .other
      if Self.otherShapes.contains(name) { feature?.add(.leftOut(.otherShape(name))) }
    case (.polygon, "outerBoundaryIs"): element = .outerBoundary
    case (.polygon, "innerBoundaryIs"): element = .innerBoundary
    case (.outerBoundary, "LinearRing"): element = .ring
    case (.point, "coordinates"), (.ring, "coordinates"): element = .coordinates
    case (.container, _), (.name, _), (.extendedData, _), (.data, _), (.value, _), (.point, _), (.polygon, _),
      (.outerBoundary, _), (.innerBoundary, _), (.ring, _), (.coordinates, _), (.other, _):
      element = .other
    }
    switch element {
    case .name, .value: text = ""
    case .point, .outerBoundary: coordinates = KMLCoordinates()
    case .container, .placemark, .extendedData, .data, .multiGeometry, .polygon, .innerBoundary, .ring, .coordinates,
      .other:
      break
    }
    elements.append(element)
  }

  private mutating func consume(_ piece: String) {
    switch elements.last {
    case .name, .value: if text.utf8.count < XMLScanner.maximumText { text += piece }
    case .coordinates: coordinates.append(piece)
    case nil, .container, .placemark, .extendedData, .data, .multiGeometry, .point, .polygon, .outerBoundary,
      .innerBoundary, .ring, .other:
      break
    }
  }

  private mutating func end(_ element: Element) {
    switch element {
    case .name:
      let text = trimmedText
      feature?.offer(name: text, from: .name)
    case .value(let property):
      let text = trimmedText
      feature?.offer(property: property, text: text, number: KMLCoordinates.number(text))
    case .coordinates: coordinates.endTuple()
    case .point:
      let shape = pointShape()
      feature?.add(shape)
    case .outerBoundary: outer = outerShape()
    case .innerBoundary: remarks.holes += 1
    case .polygon:
      let shape = outer ?? .leftOut(.unreadable)
      feature?.add(shape)
    case .placemark:
      remarks.features += 1
      if let feature { found += feature.regions(defaultRadius: defaultRadius, remarks: &remarks) }
      feature = nil
    case .container, .extendedData, .data, .multiGeometry, .ring, .other: break
    }
  }

  private mutating func pointShape() -> RegionFeature.Shape {
    guard !coordinates.isUnreadable, let corners = coordinates.takeCorners(), corners.count == 1 else {
      return .leftOut(.unreadable)
    }
    return .point(corners[0])
  }

  private mutating func outerShape() -> RegionFeature.Shape {
    guard !coordinates.isUnreadable else { return .leftOut(.unreadable) }
    guard let corners = coordinates.takeCorners() else { return .leftOut(.tooManyCorners(most: CornerList.most)) }
    return corners.isEmpty ? .leftOut(.unreadable) : .polygon(corners)
  }

  /// Removes surrounding white space, which comes from the layout of files.
  private var trimmedText: String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  /// OGC 07-147r2, sections 10 and 11, and Google's extensions.
  private static let otherShapes: Set = ["LineString", "LinearRing", "Model", "Track", "MultiTrack"]
}

/// Parses the text of KML's `coordinates` (OGC 07-147r2, section 16.12) as its pieces arrive: tuples "longitude,latitude[,height]"
/// separated by white space.
struct KMLCoordinates: Sendable {
  private(set) var corners = CornerList()
  private(set) var isUnreadable = false
  private var tuple: [UInt8] = []
  private static let longestTuple = 3 * JSONTokenizer.maximumNumber

  mutating func append(_ text: String) {
    for byte in text.utf8 {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        endTuple()
      } else if tuple.count < Self.longestTuple {
        tuple.append(byte)
      } else {
        isUnreadable = true
      }
    }
  }

  mutating func endTuple() {
    guard !tuple.isEmpty else { return }
    defer { tuple.removeAll(keepingCapacity: true) }
    let comma = UInt8(ascii: ",")
    guard let first = tuple.firstIndex(of: comma) else { return isUnreadable = true }
    let second = tuple[(first + 1)...].firstIndex(of: comma) ?? tuple.count
    guard second == tuple.count || !tuple[(second + 1)...].contains(comma),
      let longitude = Self.number(tuple, in: 0..<first), let latitude = Self.number(tuple, in: (first + 1)..<second)
    else { return isUnreadable = true }
    corners.append(latitude: latitude, longitude: longitude)
  }

  mutating func takeCorners() -> [Coordinate]? { corners.take() }

  static func number(_ text: String) -> Double? { number(Array(text.utf8), in: 0..<text.utf8.count) }

  /// `xsd:double` allows forms that JSON does not, such as ".5" and "+5"; its "INF" and "NaN" are never coordinates.
  private static func number(_ bytes: [UInt8], in part: Range<Int>) -> Double? {
    guard part.count <= JSONTokenizer.maximumNumber else { return nil }
    if let number = JSONNumber.parse(bytes, in: part) { return number }
    guard bytes[part].allSatisfy({ JSONTokenizer.isOfNumber($0) }) else { return nil }
    return Double(String(decoding: bytes[part], as: UTF8.self))
  }
}
