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
