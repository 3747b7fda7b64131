/// Every fuzz target by its name, which is also the name of its file and of its folder of seeds.
let targets: [String: ([UInt8]) -> Void] = [
  "AccessPointTable": checkAccessPointTable,
  "Advertisements": checkAdvertisements,
  "Capture": checkCapture,
  "Chunks": checkChunks,
  "Configuration": checkConfiguration,
  "Fleet": checkFleet,
  "Framing": checkFraming,
  "GPX": checkGPX,
  "GPSDRequest": checkGPSDRequest,
  "Geolocate": checkGeolocate,
  "Launch": checkLaunch,
  "MapRequest": checkMapRequest,
  "Messages": checkMessages,
  "NL80211": checkNL80211,
  "NMEA": checkNMEA,
  "NTRIPReply": checkNTRIPReply,
  "NetworkMessages": checkNetworkMessages,
  "Notes": checkNotes,
  "Overlay": checkOverlay,
  "Photograph": checkPhotograph,
  "PlaceAnswer": checkPlaceAnswer,
  "Places": checkPlaces,
  "PositionTable": checkPositionTable,
  "RTCMFraming": checkRTCMFraming,
  "RegionImport": checkRegionImport,
  "Regions": checkRegions,
  "Scrub": checkScrub,
  "SourceTable": checkSourceTable,
  "Tiles": checkTiles,
  "Tile": checkTile,
  "Time": checkTime,
  "TrackImport": checkTrackImport,
  "Tracks": checkTracks,
  "UBX": checkUBX,
  "WorldData": checkWorldData,
]

if CommandLine.arguments.count == 2, CommandLine.arguments[1] == "--list" {
  for name in targets.keys.sorted() { print(name) }
} else if CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] {
  fuzz(target)
} else {
  fatalError("usage: Fuzz TARGET [libFuzzer option...]; targets: \(targets.keys.sorted().joined(separator: " "))")
}
