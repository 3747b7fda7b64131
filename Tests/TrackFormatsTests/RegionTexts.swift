/// Files of regions from other programs.
enum RegionTexts {
  /// geojson.io: two spaces, properties first, `id` as a number.
  static let geojsonIO = """
    {
      "type": "FeatureCollection",
      "features": [
        {
          "type": "Feature",
          "properties": {"name": "Marienplatz", "stroke": "#555555", "radius": 250, "marker": {"name": "no", "radius": 1}},
          "geometry": {
            "coordinates": [
              11.5755,
              48.1374
            ],
            "type": "Point"
          },
          "id": 0
        },
        {
          "type": "Feature",
          "properties": {},
          "geometry": {
            "coordinates": [[[11.58, 48.14], [11.60, 48.14], [11.60, 48.16], [11.58, 48.16], [11.58, 48.14]]],
            "type": "Polygon"
          },
          "id": 7
        }
      ]
    }
    """

  /// QGIS and ogr2ogr: one feature per line, `crs`, columns in capitals, coordinates with 15 digits, heights.
  static let qgis = #"""
    {
    "type": "FeatureCollection",
    "name": "layer",
    "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:OGC:1.3:CRS84" } },
    "features": [
    { "type": "Feature", "properties": { "fid": 1, "NAME": "K\u00f6ln \ud83c\udf08 \"Süd\"", "RADIUS": null }, "geometry": { "type": "MultiPolygon", "coordinates": [ [ [ [ 6.95, 50.9, 53.1 ], [ 6.970000000000001, 50.9, 53.1 ], [ 6.96, 50.92, 53.1 ], [ 6.95, 50.9, 53.1 ] ], [ [ 6.955, 50.905 ], [ 6.96, 50.905 ], [ 6.96, 50.91 ], [ 6.955, 50.905 ] ] ], [ [ [ 7.0, 51.0 ], [ 7.1, 51.0 ], [ 7.1, 51.1 ], [ 7.0, 51.0 ] ] ] ] } },
    { "type": "Feature", "properties": { "fid": 2, "NAME": null, "ID": "way/17" }, "geometry": { "type": "LineString", "coordinates": [ [ 6.9, 50.9 ], [ 7.0, 51.0 ] ] } },
    { "type": "Feature", "properties": null, "geometry": null },
    { "type": "Feature", "properties": { "TITLE": "Dom", "radius": "1.5e2" }, "geometry": { "type": "Point", "coordinates": [ 6.9583, 50.9413 ] } }
    ]
    }
    """#

  /// Google Earth: styles, a folder in a document, LookAt elements, coordinates with heights on several lines.
  static let googleEarth = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document>
    \t<name>Places.kml</name>
    \t<Style id="s"><IconStyle><Icon><href>http://maps.google.com/a.png?b=1&amp;c=2</href></Icon></IconStyle></Style>
    \t<Folder>
    \t\t<name>Home</name>
    \t\t<Placemark id="ID_00001">
    \t\t\t<name>Garden &amp; <![CDATA[<shed>]]></name>
    \t\t\t<LookAt><longitude>8.5</longitude><latitude>47.3</latitude></LookAt>
    \t\t\t<Polygon>
    \t\t\t\t<tessellate>1</tessellate>
    \t\t\t\t<outerBoundaryIs>
    \t\t\t\t\t<LinearRing>
    \t\t\t\t\t\t<coordinates>
    \t\t\t\t\t\t\t8.54,47.37,0 8.55,47.37,0 8.55,47.38,0
    \t\t\t\t\t\t\t8.54,47.38,0 8.54,47.37,0 \n\t\t\t\t\t\t</coordinates>
    \t\t\t\t\t</LinearRing>
    \t\t\t\t</outerBoundaryIs>
    \t\t\t\t<innerBoundaryIs><LinearRing><coordinates>8.541,47.371 8.542,47.371 8.542,47.372 8.541,47.371</coordinates></LinearRing></innerBoundaryIs>
    \t\t\t</Polygon>
    \t\t</Placemark>
    \t\t<Placemark>
    \t\t\t<!-- <name>no</name> -->
    \t\t\t<name>Pin</name>
    \t\t\t<ExtendedData><Data name="radius"><displayName>Radius</displayName><value> 80 </value></Data></ExtendedData>
    \t\t\t<Point><gx:drawOrder>1</gx:drawOrder><coordinates>8.545,47.375,0</coordinates></Point>
    \t\t</Placemark>
    \t\t<Placemark><name>Path</name><LineString><coordinates>8,47,0 8.1,47,0</coordinates></LineString></Placemark>
    \t</Folder>
    </Document>
    </kml>
    """

  /// ogr2ogr: data with a schema, several geometries, no name.
  static let ogr = """
    <?xml version="1.0" encoding="utf-8" ?>
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document id="root_doc">
    <Schema name="p" id="p"><SimpleField name="id" type="int"></SimpleField></Schema>
    <Folder><name>p</name>
      <Placemark>
    \t<ExtendedData><SchemaData schemaUrl="#p"><SimpleData name="id">42</SimpleData></SchemaData></ExtendedData>
          <MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>-3,40 -2,40 -2,41 -3,40</coordinates></LinearRing></outerBoundaryIs></Polygon><Polygon><outerBoundaryIs><LinearRing><coordinates>-5,40 -4,40 -4,41 -5,40</coordinates></LinearRing></outerBoundaryIs></Polygon><Point><coordinates>-2.5,40.5</coordinates></Point></MultiGeometry>
      </Placemark>
    </Folder>
    </Document></kml>
    """

  static let all = [geojsonIO, qgis, googleEarth, ogr]
}
