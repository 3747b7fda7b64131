package import Geodesy
package import Regions

/// Turns a file of somebody else's, in GeoJSON or KML, into regions with names of their own, as its bytes come. What makes no
/// region is left out and counted; what is no such file is an error, and then nothing that came before should be used.
package struct RegionImport: Sendable {
  private let defaultRadius: Meters?
  private let mostRegions: Int
  /// `nil` until the first byte that is no blank has said what they are.
  private var reader: (any RegionFileReader)?
  /// The bytes until then.
  private var first: [UInt8] = []
  private var names = RegionNames()
  private var count = 0
  private var own = RegionRemarks()

  /// - Parameters:
  ///   - defaultRadius: that of points which have none; `nil`: they are left out.
  ///   - mostRegions: how many the caller can take; it bounds what is kept of their names.
  package init(defaultRadius: Meters? = nil, mostRegions: Int) {
    self.defaultRadius = defaultRadius
    self.mostRegions = mostRegions
  }

  /// What was left out so far, and why.
  package var remarks: RegionRemarks { own.joined(with: reader?.remarks ?? RegionRemarks()) }

  /// The next bytes, of any number: what regions end in them.
  package mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [Region] {
    guard reader == nil else { return try regions(reader?.receive(bytes) ?? []) }
    for index in bytes.indices { first.append(bytes[index]) }
    return try begin(isWhole: false)
  }

  /// To be called after the last byte.
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
          LeftOutRegion(feature: region.feature, line: region.line, name: name, reason: .refused(error)))
      }
      // Those that are refused count too: their names are kept.
      count += 1
      guard count <= mostRegions else { throw .tooMany(most: mostRegions, line: region.line) }
    }
    return regions
  }
}

/// A region as a file has it: there may be none such.
package struct FoundRegion: Hashable, Sendable {
  package enum Border: Hashable, Sendable {
    case circle(center: Coordinate, radius: Meters)
    /// The last corner is not the first again. A file's sides are straight in degrees, ours are geodesics: a side of 10 km along
    /// the 50th parallel lies 2 m beside, one of 100 km 230 m (L² tan φ / 8R).
    case polygon([Coordinate])
  }

  /// As the file has it: another may have the same.
  package var name: String
  package let border: Border
  /// Of which feature of the file it is, from 1.
  package let feature: Int
  /// The line on which that begins, from 1.
  package let line: Int

  package init(name: String, border: Border, feature: Int, line: Int) {
    self.name = name
    self.border = border
    self.feature = feature
    self.line = line
  }

  /// The region itself, where there can be one such.
  package func region() throws(RegionError) -> Region {
    switch border {
    case .circle(let center, let radius):
      try Region(identifier: name, shape: .circle(CircleShape(center: center, radius: radius)))
    case .polygon(let corners): try Region(identifier: name, shape: .polygon(PolygonShape(corners: corners)))
    }
  }
}

/// A feature of a file, or a part of one, that makes no region.
package struct LeftOutRegion: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// A line or another shape that has no inside, by its name in the format.
    case otherShape(String)
    /// It has no shape at all.
    case noShape
    /// A point without a radius of its own, where the caller has none for it either.
    case noRadius
    /// More corners than a region may have, or than one feature may have in all.
    case tooManyCorners(most: Int)
    /// Its shape or radius is not as the format has it.
    case unreadable
    /// There can be no such region.
    case refused(RegionError)
  }

  /// Its number in the file, from 1.
  package let feature: Int
  /// The line on which the feature begins, from 1.
  package let line: Int
  package let name: String
  package let reason: Reason

  /// Whether its coordinates seem to have the latitude first, where the formats have the longitude.
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

/// Why a file has no regions that can be read, or not only such.
package enum RegionImportError: Error, Hashable, Sendable {
  /// Neither JSON nor XML begins so.
  case unknownFormat
  /// Packed, as a KMZ is: what is in it has to be taken out first.
  case packed(Packing)
  /// No JSON text as RFC 8259 has it: this had to come.
  case notJSON(JSONExpectation, TextPlace)
  /// Lists, objects or elements stand deeper in each other than so.
  case tooDeep(most: Int, TextPlace)
  /// The file ends in its midst.
  case cutOff(TextPlace)
  /// JSON, but no GeoJSON object: its `type`, where it has one.
  case notGeoJSON(type: String?, TextPlace)
  /// Its places are not in degrees of WGS 84, but in this system.
  case otherCoordinateSystem(String, TextPlace)
  /// No XML as far as it is needed here.
  case notXML(TextPlace)
  /// A document type may define what is not in the file: it is refused.
  case documentType(TextPlace)
  /// XML in another encoding than UTF-8.
  case otherEncoding(String, TextPlace)
  /// XML, but its root is this and not `kml`.
  case notKML(root: String, TextPlace)
  /// More regions than the caller can take.
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

/// In which format a file of regions is.
package enum RegionFileFormat: Hashable, Sendable {
  case geoJSON
  case kml

  /// What has more blanks at its beginning was not made to be read.
  private static let mostBlanks = 4096

  /// The format of a file that begins so.
  ///
  /// - Returns: `nil` where more bytes are wanted.
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

/// Reads a file of regions as its bytes come, and keeps no more of it than one feature.
package protocol RegionFileReader: Sendable {
  /// What was left out so far, and why.
  var remarks: RegionRemarks { get }

  /// The next bytes, of any number. An error is the file's end.
  mutating func receive(_ bytes: Span<UInt8>) throws(RegionImportError) -> [FoundRegion]
  /// To be called after the last byte.
  mutating func finish() throws(RegionImportError) -> [FoundRegion]
}
