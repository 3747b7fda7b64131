/// Short files as other programs write them.
enum ImportSample {
  static var all: [String] { [gpx, kml, geoJSON, nmea, records, semantic, android, iPhone] }

  static let gpx = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1"
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:ctl="urn:x-locationctl:track:1">
      <metadata><time>2024-05-01T07:00:00Z</time></metadata>
      <wpt lat="47.9" lon="8.9"><time>2024-05-01T10:00:00Z</time><name>Summit &amp; hut</name></wpt>
      <trk><name>Walk</name>
        <trkseg>
          <trkpt lat="47.1" lon="8.2"><ele>400.5</ele><time>2024-05-01T10:00:00+02:00</time><geoidheight>47</geoidheight>
            <fix>3d</fix><sat>9</sat><hdop>0.9</hdop>
            <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>120</gpxtpx:hr><gpxtpx:speed>3.5</gpxtpx:speed>
              <gpxtpx:course>360</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
          <trkpt lat="47.2" lon="8.3"><time>2024-05-01T08:00:10</time><extensions><ctl:horizontalAccuracy>4.5</ctl:horizontalAccuracy>
            <ctl:technologies>gnss</ctl:technologies></extensions></trkpt>
          <trkpt lat="47.3" lon="8.4"/>
        </trkseg>
        <trkseg>
          <trkpt lat="47.4" lon="8.5"><time>2024-05-01T08:30:00Z</time></trkpt>
          <trkpt lat="97.4" lon="8.5"><time>2024-05-01T08:30:01Z</time></trkpt>
        </trkseg>
      </trk>
      <rte><rtept lat="47.5" lon="8.6"><name>turn</name></rtept></rte>
    </gpx>
    """

  static let kml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
      <Placemark><gx:MultiTrack><gx:interpolate>1</gx:interpolate>
        <gx:Track><altitudeMode>absolute</altitudeMode>
          <when>2024-05-01T08:00:00Z</when><when>2024-05-01T08:00:01Z</when><when>2024-05-01T08:00:02Z</when>
          <gx:coord>8.2 47.1 400</gx:coord><gx:coord>8.3 47.2 401</gx:coord><gx:coord/>
          <ExtendedData><SchemaData><gx:SimpleArrayData name="horizontalAccuracy"><gx:value>5</gx:value><gx:value/><gx:value>7</gx:value>
          </gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>
        <gx:Track><when>2024-05-01T08:00:03Z</when><gx:coord>8.4 47.3 0</gx:coord></gx:Track>
      </gx:MultiTrack></Placemark>
      <Placemark><name>photo</name><TimeStamp><when>2024-05-01T11:00:00Z</when></TimeStamp>
        <Point><altitudeMode>absolute</altitudeMode><coordinates> 8.5,47.4,410 </coordinates></Point></Placemark>
      <Placemark><name>shop</name><Point><coordinates>8.5,47.4,410</coordinates></Point></Placemark>
      <Placemark><LineString><coordinates>8,47 8.1,47.1</coordinates></LineString></Placemark>
    </Document></kml>
    """

  static let geoJSON = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"coordTimes":["2024-05-01T08:00:00Z","2024-05-01T08:00:01Z"],"horizontalAccuracy":[null,3]},
     "geometry":{"type":"LineString","coordinates":[[8.2,47.1,447],[8.3,47.2,448]]}},
    {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[8.4,47.3],[8.5,47.4]],[[8.6,47.5],[8.7,47.6]]]},
     "properties":{"coordinateProperties":{"times":[["2024-05-01T09:00:00Z","2024-05-01T09:00:01Z"],
       ["2024-05-01T10:00:00Z","2024-05-01T10:00:01Z"]]}}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[8.8,47.7]},"properties":{"time":"2024-05-01T12:00:00Z","speed":1.5}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[8.8,47.7]},"properties":{"name":"shop"}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48],[8,47]]]},"properties":null},
    {"type":"Feature","geometry":null,"properties":{"time":"2024-05-01T12:00:00Z"}}
    ]}
    """

  /// Checksums are added.
  static let nmea: String = [
    "GPGSV,1,1,01,05,45,100,40", "GPRMC,235959.00,A,4730.00000,N,00830.00000,E,10.0,90.0,010524,,,A",
    "GPGGA,235959.00,4730.00000,N,00830.00000,E,1,09,0.9,400.0,M,47.0,M,,",
    "GPGST,235959.00,5.0,4.0,3.0,0.0,3.0,4.0,6.0",
    "GPGGA,000000.00,4730.00100,N,00830.00000,E,1,09,0.9,400.0,M,47.0,M,,",
    "GPGGA,000001.00,,,,,0,00,,,M,,M,,", "GPRMC,000001.00,V,,,,,,,020524,,,N",
    "GNRMC,000002.00,A,4730.00200,N,00830.00000,E,10.0,90.0,020524,,,A",
  ].map { body in
    let checksum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(checksum.count < 2 ? "0" : "")\(checksum)\r\n"
  }.joined()

  static let records = """
    {"locations":[{"timestamp":"2022-01-12T17:18:24.190Z","latitudeE7":414216106,"longitudeE7":21684775,"accuracy":20,"velocity":10,
    "heading":270,"altitude":150,"verticalAccuracy":10,"source":"WIFI","deviceTag":1234567890,"platformType":"ANDROID",
    "activeWifiScan":{"accessPoints":[{"mac":"1","strength":-50}]}},
    {"timestampMs":"1515565441334","latitudeE7":414216106,"longitudeE7":21684775,"accuracy":2299,
    "activity":[{"timestampMs":"1515565288515","activity":[{"type":"STILL","confidence":98}]}]},
    {"timestamp":"2022-01-12T17:19:24Z","latitudeE7":4142161060,"longitudeE7":21684775},
    {"timestamp":"2022-01-12T17:20:24Z","latitudeE7":-414216106,"longitudeE7":-21684775,"source":"GPS"}]}
    """

  static let semantic = """
    {"timelineObjects":[
    {"placeVisit":{"location":{"latitudeE7":414000000,"longitudeE7":21000000,"placeId":"x","name":"Cafe"},
      "duration":{"startTimestamp":"2022-03-01T08:00:00Z","endTimestamp":"2022-03-01T09:30:00Z"},"placeConfidence":"HIGH_CONFIDENCE",
      "otherCandidateLocations":[{"latitudeE7":1,"longitudeE7":2}],
      "childVisits":[{"location":{"latitudeE7":3,"longitudeE7":4},"duration":{"startTimestamp":"2022-03-01T08:10:00Z"}}]}},
    {"activitySegment":{"startLocation":{"latitudeE7":414000000,"longitudeE7":21000000},
      "endLocation":{"latitudeE7":415000000,"longitudeE7":22000000},
      "duration":{"startTimestamp":"2022-03-01T09:30:00Z","endTimestamp":"2022-03-01T10:00:00Z"},"distance":1000,
      "activityType":"WALKING","waypointPath":{"waypoints":[{"latE7":414500000,"lngE7":21500000}]},
      "simplifiedRawPath":{"points":[{"latE7":414200000,"lngE7":21200000,"accuracyMeters":10,"timestamp":"2022-03-01T09:40:00Z"}]}}}
    ]}
    """

  static let android = """
    {"semanticSegments":[
    {"startTime":"2024-05-01T10:00:00.000+02:00","endTime":"2024-05-01T11:00:00.000+02:00","startTimeTimezoneUtcOffsetMinutes":120,
     "visit":{"hierarchyLevel":0,"probability":0.9,"topCandidate":{"placeId":"x","semanticType":"HOME","probability":0.8,
     "placeLocation":{"latLng":"47.1000000°, 8.5000000°"}}}},
    {"startTime":"2024-05-01T10:00:00.000+02:00","endTime":"2024-05-01T11:00:00.000+02:00",
     "visit":{"hierarchyLevel":1,"topCandidate":{"placeLocation":{"latLng":"47.1000000°, 8.5000000°"}}}},
    {"startTime":"2024-05-01T11:00:00.000+02:00","endTime":"2024-05-01T13:00:00.000+02:00",
     "timelinePath":[{"point":"47.1100000°, 8.5100000°","time":"2024-05-01T11:02:00.000+02:00"},
     {"point":"47.1200000°, 8.5200000°","time":"2024-05-01T11:12:00.000+02:00"}]},
    {"startTime":"2024-05-01T11:00:00.000+02:00","endTime":"2024-05-01T11:20:00.000+02:00",
     "activity":{"start":{"latLng":"47.1000000°, 8.5000000°"},"end":{"latLng":"47.1300000°, 8.5300000°"},"distanceMeters":3000.5,
     "topCandidate":{"type":"WALKING","probability":0.7}}},
    {"startTime":"2024-05-01T11:00:00.000+02:00","endTime":"2024-05-01T13:00:00.000+02:00","timelineMemory":{"trip":{}}}],
    "rawSignals":[{"position":{"LatLng":"47.1400000°, 8.5400000°","accuracyMeters":13,"altitudeMeters":480.5,"source":"GPS",
     "timestamp":"2024-05-01T14:00:00.000+02:00","speedMetersPerSecond":1.25}},
     {"wifiScan":{"deliveryTime":"2024-05-01T14:00:00.000+02:00","devicesRecords":[{"mac":1,"rawRssi":-60}]}},
     {"activityRecord":{"probableActivities":[{"type":"STILL","confidence":0.9}],"timestamp":"2024-05-01T14:00:00.000+02:00"}}],
    "userLocationProfile":{"frequentPlaces":[{"placeId":"x","placeLocation":"47.1000000°, 8.5000000°","label":"HOME"}]}}
    """

  static let iPhone = """
    [{"endTime":"2024-05-01T10:00:00.000+02:00","startTime":"2024-05-01T09:00:00.000+02:00","visit":{"hierarchyLevel":"0",
     "topCandidate":{"probability":"0.8","semanticType":"Home","placeID":"x","placeLocation":"geo:47.100000,8.200000"},"probability":"0.9"}},
    {"endTime":"2024-05-01T12:00:00.000+02:00","timelinePath":[{"point":"geo:47.100000,8.200000","durationMinutesOffsetFromStartTime":"10"},
     {"point":"geo:47.200000,8.300000","durationMinutesOffsetFromStartTime":"25.5"},{"point":"geo:947,8","durationMinutesOffsetFromStartTime":"30"}],
     "startTime":"2024-05-01T10:00:00.000+02:00"},
    {"endTime":"2024-05-01T11:20:00.000+02:00","startTime":"2024-05-01T11:00:00.000+02:00","activity":{"probability":"0.7",
     "end":"geo:47.300000,8.400000","topCandidate":{"type":"walking","probability":"0.6"},"distanceMeters":"900.5",
     "start":"geo:47.200000,8.300000"}}]
    """
}
