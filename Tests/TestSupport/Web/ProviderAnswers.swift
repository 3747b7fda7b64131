/// Answers of the three programs that serve places, in the form of their documents and of public servers, with the fields that matter here.
package enum ProviderAnswers {
  /// Nominatim's `reverse?format=geocodejson` (nominatim.org/release-docs/latest/api/Output).
  package static let nominatim = #"""
    {"type":"FeatureCollection","geocoding":{"version":"0.1.0","attribution":"Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright","licence":"ODbL","query":"47.1415,9.5226"},"features":[{"type":"Feature","properties":{"geocoding":{"place_id":100,"osm_type":"way","osm_id":92,"osm_key":"building","osm_value":"yes","type":"house","accuracy":0,"label":"49, Städtle, Vaduz, 9490, Liechtenstein","housenumber":"49","street":"Städtle","locality":"Mitteldorf","postcode":"9490","city":"Vaduz","country":"Liechtenstein","country_code":"li","admin":{"level8":"Vaduz"}}},"geometry":{"type":"Point","coordinates":[9.5226,47.1415]}}]}
    """#

  /// Photon's `reverse` (github.com/komoot/photon, README); it escapes letters beyond ASCII.
  package static let photon = #"""
    {"features":[{"geometry":{"coordinates":[9.5226,47.1415],"type":"Point"},"type":"Feature","properties":{"osm_type":"W","osm_id":92,"osm_key":"building","osm_value":"yes","type":"house","countrycode":"LI","postcode":"9490","housenumber":"49","city":"Vaduz","district":"Mitteldorf","country":"Liechtenstein","street":"St\u00e4dtle","extent":[9.5225,47.1416,9.5227,47.1414]}}],"type":"FeatureCollection"}
    """#

  /// Pelias's `v1/reverse` (github.com/pelias/documentation).
  package static let pelias = #"""
    {"geocoding":{"version":"0.2","attribution":"https://pelias.example.org/attribution","query":{"size":1}},"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-73.985428,40.748817]},"properties":{"id":"way/34633854","gid":"openstreetmap:address:way/34633854","layer":"address","source":"openstreetmap","name":"350 5th Avenue","housenumber":"350","street":"5th Avenue","postalcode":"10118","confidence":0.8,"distance":0.004,"country_code":"US","country":"United States","country_a":"USA","region":"New York","region_a":"NY","county":"New York County","locality":"New York","borough":"Manhattan","neighbourhood":"Midtown South","label":"350 5th Avenue, Manhattan, New York, NY, USA"},"bbox":[-73.9855,40.7487,-73.9853,40.7489]}],"bbox":[-73.9855,40.7487,-73.9853,40.7489]}
    """#
}
