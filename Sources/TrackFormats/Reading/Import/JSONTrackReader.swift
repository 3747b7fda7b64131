import Geodesy

/// Reads JSON with positions: GeoJSON, or an export of Google's Timeline. The keys of the outermost object decide; an
/// outermost list is the export of an iPhone.
struct JSONTrackReader: TrackFileReader {
  /// The kind of an open list or object.
  enum Role: Sendable {
    case file
    /// A list of segments: the whole export of an iPhone, or `semanticSegments` of an Android phone.
    case segments
    /// GeoJSON.
    case features, feature, geometry, coordinates, properties, coordinateProperties
    case column(String)
    /// Google: a position of its own in `Records.json` (`locations`), or one of a path with times (`simplifiedRawPath`).
    case locations, record, pathRecords
    /// Google: `timelineObjects` of the files in `Semantic Location History`.
    case timelineObjects, timelineObject, placeVisit, activitySegment, duration, rawPath
    /// Google: `semanticSegments` of an Android phone, and a list of the same objects of an iPhone.
    case segment, visit, candidate, activity, path, pathPoint
    /// A place of a segment, as an object.
    case place(GoogleSegment.Place)
    /// Google: `rawSignals` of an Android phone.
    case signals, signal
    case other
  }

  private var tokenizer = JSONTokenizer()
  private var roles: [Role] = []
  private var key = ""
  private var isKnown = false
  private var isEmpty = true
  private var feature = GeoJSONTrackFeature()
  private var record = GoogleRecord()
  private var segment = GoogleSegment()

  mutating func receive(_ bytes: Span<UInt8>, _ output: inout ImportOutput) throws(TrackImportError) {
    var offset = 0
    while let token = try next(in: bytes, at: &offset) { try consume(token, &output) }
  }

  mutating func finish(_ output: inout ImportOutput) throws(TrackImportError) {
    do throws(JSONProblem) { try tokenizer.finish() } catch { throw TrackImportError(error) }
    guard !isEmpty else { throw .cutOff(tokenizer.place(0)) }
    guard isKnown else { throw .otherJSON }
  }

  private mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(TrackImportError) -> JSONToken? {
    do throws(JSONProblem) { return try tokenizer.next(in: bytes, at: &offset) } catch { throw TrackImportError(error) }
  }

  private mutating func consume(_ token: JSONToken, _ output: inout ImportOutput) throws(TrackImportError) {
    switch token {
    case .key(let name): key = name
    case .objectStart, .listStart: try start(isObject: token == .objectStart, &output)
    case .objectEnd, .listEnd: try end(&output)
    case .text, .number, .flag, .null: try consume(value: token)
    }
  }

  // MARK: - Lists and objects

  private mutating func start(isObject: Bool, _ output: inout ImportOutput) throws(TrackImportError) {
    isEmpty = false
    let role = role(isObject)
    switch role {
    case .file, .feature: feature = GeoJSONTrackFeature()
    case .features, .locations, .timelineObjects, .signals: isKnown = true
    case .segments: if roles.last != nil { isKnown = true }
    case .geometry: isKnown = isKnown || roles.count == 1
    case .coordinates: try feature.startList()
    case .record: record = GoogleRecord()
    case .segment, .timelineObject: segment = GoogleSegment()
    case .pathPoint: segment.beginPoint()
    case .path, .rawPath: segment.hasPath = true
    case .properties, .coordinateProperties, .column, .pathRecords, .placeVisit, .activitySegment, .duration, .visit,
      .candidate,
      .activity, .place, .signal, .other:
      break
    }
    if case .visit = role { segment.hasVisit = true }
    if case .placeVisit = role { segment.hasVisit = true }
    if case .activity = role { segment.hasActivity = true }
    if case .activitySegment = role { segment.hasActivity = true }
    roles.append(role)
  }

  private func role(_ isObject: Bool) -> Role {
    switch (roles.last, key, isObject) {
    case (nil, _, true): .file
    case (nil, _, false): .segments
    case (.file, "features", false): .features
    case (.features, _, true): .feature
    case (.file, "geometry", true), (.feature, "geometry", true): .geometry
    case (.file, "coordinates", false), (.geometry, "coordinates", false), (.coordinates, _, false): .coordinates
    case (.file, "properties", true), (.feature, "properties", true): .properties
    case (.properties, "coordinateProperties", true): .coordinateProperties
    case (.properties, let name, false), (.coordinateProperties, let name, false): .column(name)
    case (.column(let name), _, false): .column(name)
    case (.file, "locations", false): .locations
    case (.locations, _, true): .record
    case (.file, "timelineObjects", false): .timelineObjects
    case (.timelineObjects, _, true): .timelineObject
    case (.timelineObject, "placeVisit", true): .placeVisit
    case (.timelineObject, "activitySegment", true): .activitySegment
    case (.placeVisit, "duration", true), (.activitySegment, "duration", true): .duration
    case (.placeVisit, "location", true): .place(.visit)
    case (.activitySegment, "startLocation", true): .place(.start)
    case (.activitySegment, "endLocation", true): .place(.end)
    case (.activitySegment, "simplifiedRawPath", true), (.placeVisit, "simplifiedRawPath", true): .rawPath
    case (.rawPath, "points", false): .pathRecords
    case (.pathRecords, _, true): .pathPoint
    case (.file, "semanticSegments", false): .segments
    case (.segments, _, true): .segment
    case (.segment, "visit", true): .visit
    case (.visit, "topCandidate", true): .candidate
    case (.candidate, "placeLocation", true): .place(.visit)
    case (.segment, "activity", true): .activity
    case (.activity, "start", true): .place(.start)
    case (.activity, "end", true): .place(.end)
    case (.segment, "timelinePath", false): .path
    case (.path, _, true): .pathPoint
    case (.file, "rawSignals", false): .signals
    case (.signals, _, true): .signal
    case (.signal, "position", true): .record
    case (_, _, _): .other
    }
  }

  private mutating func end(_ output: inout ImportOutput) throws(TrackImportError) {
    switch roles.removeLast() {
    case .file:
      // A geometry or a feature that is the whole document.
      if feature.isDocument {
        isKnown = true
        feature.report(&output)
      }
    case .feature:
      feature.report(&output)
      feature = GeoJSONTrackFeature()
    case .coordinates: feature.endList()
    case .record: record.report(&output)
    case .pathPoint: try segment.endPoint()
    case .segment, .timelineObject:
      if segment.isKnown { isKnown = true }
      segment.report(&output)
    case .segments, .features, .geometry, .properties, .coordinateProperties, .column, .locations, .pathRecords,
      .timelineObjects, .placeVisit, .activitySegment, .duration, .rawPath, .visit, .candidate, .activity, .path,
      .place,
      .signals, .signal, .other:
      break
    }
  }

  // MARK: - Values

  private mutating func consume(value: JSONToken) throws(TrackImportError) {
    switch roles.last {
    case .coordinates: if case .number(let number) = value { feature.number(number) }
    case .column(let name): try feature.value(value, of: name)
    case .file, .geometry: if key == "type", case .text(let type) = value { feature.set(type: type) }
    case .properties: feature.property(key, value)
    case .record: record.set(key, value)
    case .segment, .duration: segment.set(key, value)
    case .visit: if key == "hierarchyLevel" { segment.level = GoogleRecord.number(value) ?? 0 }
    case .candidate: if key == "placeLocation" { segment.set(.visit, value) }
    case .activity:
      if key == "start" { segment.set(.start, value) }
      if key == "end" { segment.set(.end, value) }
    case .place(let place): segment.set(place, key, value)
    case .pathPoint: segment.setPoint(key, value)
    case nil, .segments, .features, .feature, .coordinateProperties, .locations, .pathRecords, .timelineObjects,
      .timelineObject, .placeVisit, .activitySegment, .rawPath, .path, .signals, .signal, .other:
      break
    }
  }
}

extension TrackImportError {
  init(_ problem: JSONProblem) {
    switch problem.reason {
    case .expected: self = .notJSON(problem.place)
    case .tooDeep(let most): self = .tooDeep(most: most, problem.place)
    case .cutOff: self = .cutOff(problem.place)
    }
  }
}
