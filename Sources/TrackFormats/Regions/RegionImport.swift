package import Geodesy
package import Regions

/// Converts a third-party file, in GeoJSON or KML, to regions with unique names, as its bytes arrive. Features that are not valid
/// regions are omitted and counted; a file of another kind is an error, and then none of the earlier results should be used.
package struct RegionImport: Sendable {
  private let defaultRadius: Meters?
  private let mostRegions: Int
  /// Reads the format, which the first byte that is not white space determines; `nil` until then.
  private var reader: (any RegionFileReader)?
  /// The bytes before the format is known.
  private var first: [UInt8] = []
  private var names = RegionNames()
  private var count = 0
  private var own = RegionFileSummary()

  /// - Parameters:
  ///   - defaultRadius: the radius of points without one; `nil`: they are omitted.
  ///   - mostRegions: the most regions that the caller accepts; limits the memory for their names.
  package init(defaultRadius: Meters? = nil, mostRegions: Int) {
    self.defaultRadius = defaultRadius
    self.mostRegions = mostRegions
  }

  /// What was omitted so far, and why.
  package var remarks: RegionFileSummary { own.joined(with: reader?.remarks ?? RegionFileSummary()) }

  /// Receives the next bytes, of any number; returns the regions that end in them.
  package mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [Region] {
    guard reader == nil else { return try regions(reader?.receive(bytes) ?? []) }
    for index in bytes.indices { first.append(bytes[index]) }
    return try begin(isWhole: false)
  }

  /// Call this after the last byte.
  package mutating func finish() throws(RegionImportError) -> [Region] {
    let begun = reader == nil ? try begin(isWhole: true) : []
    return try begun + regions(reader?.finish() ?? [])
  }

  private mutating func begin(isWhole: Bool) throws(RegionImportError) -> [Region] {
    guard let format = try RegionFileFormat(first: first, isWhole: isWhole) else { return [] }
    let (bytes, defaultRadius) = (first, defaultRadius)
    first = []
    reader =
      switch format {
      case .geoJSON: GeoJSONRegionReader(defaultRadius: defaultRadius)
      case .kml: KMLRegionReader(defaultRadius: defaultRadius)
      }
    return try regions(reader?.receive(bytes.span) ?? [])
  }

  private mutating func regions(_ found: [FoundRegion]) throws(RegionImportError) -> [Region] {
    var regions: [Region] = []
    for var region in found {
      let name = names.unique(region.name)
      if name != region.name { own.renamed += 1 }
      region.name = name
      do throws(RegionError) {
        regions.append(try region.region())
      } catch {
        own.leaveOut(
          SkippedRegion(feature: region.feature, line: region.line, name: name, reason: .refused(error)))
      }
      // Rejected regions count too, because their names are stored.
      count += 1
      guard count <= mostRegions else { throw .tooMany(most: mostRegions, line: region.line) }
    }
    return regions
  }
}

/// A region as described in a file; it may be invalid.
package struct FoundRegion: Hashable, Sendable {
  package enum Border: Hashable, Sendable {
    case circle(center: Coordinate, radius: Meters)
    /// The last corner does not repeat the first. A file's sides are straight in degrees, ours are geodesics: a side of 10 km along
    /// the 50th parallel differs by 2 m, one of 100 km by 230 m (L² tan φ / 8R).
    case polygon([Coordinate])
  }

  /// The name in the file: another region may have the same.
  package var name: String
  package let border: Border
  /// The number of its feature in the file, from 1.
  package let feature: Int
  /// The line on which the feature begins, from 1.
  package let line: Int

  package init(name: String, border: Border, feature: Int, line: Int) {
    self.name = name
    self.border = border
    self.feature = feature
    self.line = line
  }

  /// The region itself, if it is valid.
  package func region() throws(RegionError) -> Region {
    switch border {
    case .circle(let center, let radius):
      try Region(identifier: name, shape: .circle(CircleShape(center: center, radius: radius)))
    case .polygon(let corners): try Region(identifier: name, shape: .polygon(PolygonShape(corners: corners)))
    }
  }
}

/// A feature of a file, or a part of one, that does not become a region.
package struct SkippedRegion: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// A line or another shape without an inside; the payload is its name in the format.
    case otherShape(String)
    /// The feature has no shape at all.
    case noShape
    /// A point without a radius, if the caller has no default either.
    case noRadius
    /// More corners than a region may have, or than one feature may have in total.
    case tooManyCorners(most: Int)
    /// The shape or the radius does not conform to the format.
    case unreadable
    /// The region is invalid.
    case refused(RegionError)
  }

  /// The number of the feature in the file, from 1.
  package let feature: Int
  /// The line on which the feature begins, from 1.
  package let line: Int
  package let name: String
  package let reason: Reason

  /// Whether the coordinates seem to be in the order latitude, longitude; the formats require longitude first.
  package var seemsSwapped: Bool {
    guard case .refused(.place(let latitude, let longitude)) = reason else { return false }
    return latitude.magnitude > 90 && latitude.magnitude <= 180 && longitude.magnitude <= 90
  }

  package init(feature: Int, line: Int, name: String, reason: Reason) {
    self.feature = feature
    self.line = line
    self.name = name
    self.reason = reason
  }
}

/// Why a file cannot be read as a file of regions.
package enum RegionImportError: Error, Hashable, Sendable {
  /// Neither JSON nor XML begins this way.
  case unknownFormat
  /// A compressed file, such as a KMZ: its content must be extracted first.
  case packed(Packing)
  /// Not a JSON text by RFC 8259, or one that is not an object; the payload is what was expected.
  case notJSON(JSONExpectation, TextPosition)
  /// Lists, objects or elements are nested deeper than this.
  case tooDeep(most: Int, TextPosition)
  /// The file is truncated.
  case cutOff(TextPosition)
  /// JSON, but not a GeoJSON object; the payload is its `type`, if it has one.
  case notGeoJSON(type: String?, TextPosition)
  /// The coordinates are not degrees of WGS 84; the payload is their coordinate system.
  case otherCoordinateSystem(String, TextPosition)
  /// Not XML of the supported subset.
  case notXML(TextPosition)
  /// A document type is rejected, because it may define entities that are not in the file.
  case documentType(TextPosition)
  /// XML in an encoding other than UTF-8.
  case otherEncoding(String, TextPosition)
  /// XML, but its root is not `kml`; the payload is the root.
  case notKML(root: String, TextPosition)
  /// More regions than the caller accepts.
  case tooMany(most: Int, line: Int)

  package enum Packing: Hashable, Sendable { case zip, gzip }
}

extension RegionImportError {
  init(_ problem: JSONProblem) {
    switch problem.reason {
    case .expected(let expectation): self = .notJSON(expectation, problem.place)
    case .tooDeep(let most): self = .tooDeep(most: most, problem.place)
    case .cutOff: self = .cutOff(problem.place)
    }
  }
}

/// The format of a file of regions.
package enum RegionFileFormat: Hashable, Sendable {
  case geoJSON
  case kml

  /// A file with more leading white space is rejected.
  private static let mostBlanks = 4096

  /// The format of a file that begins with these bytes.
  ///
  /// - Returns: `nil` if more bytes are needed.
  package init?(first: [UInt8], isWhole: Bool) throws(RegionImportError) {
    guard isWhole || first.count >= 4 else { return nil }
    // PKWARE APPNOTE 4.3.7, and RFC 1952, section 2.3.1.
    if first.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw .packed(.zip) }
    if first.starts(with: [0x1F, 0x8B]) { throw .packed(.gzip) }
    let text = first.starts(with: [0xEF, 0xBB, 0xBF]) ? first[3...] : first[...]
    let mark = text.prefix(Self.mostBlanks).first { byte in
      // RFC 8142: a record separator.
      byte != 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x1E
    }
    switch mark {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .geoJSON
    case UInt8(ascii: "<"): self = .kml
    case nil where !isWhole && text.count < Self.mostBlanks: return nil
    case _: throw .unknownFormat
    }
  }
}

/// Reads a file of regions as its bytes arrive, and stores at most one feature of it.
package protocol RegionFileReader: Sendable {
  /// What was omitted so far, and why.
  var remarks: RegionFileSummary { get }

  /// Receives the next bytes, of any number. After an error the reader must not be used.
  mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [FoundRegion]
  /// Call this after the last byte.
  mutating func finish() throws(RegionImportError) -> [FoundRegion]
}
