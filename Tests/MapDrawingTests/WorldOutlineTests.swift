import MapDrawing
import Testing

/// The file of the world's outline, and files that are something else.
@Suite struct WorldOutlineTests {
  private func outline(_ text: String) -> WorldOutline? { WorldOutline(Array(text.utf8).span) }

  private let small =
    "{\"land\":[[[4500,23500,500,0,0,500,-500,0]]],\"lakes\":[[[4700,23700,50,0,0,50]]],\"borders\":[[4500,23600,500,100]]}\n"

  /// Land from 9° to 10° E and from 47° to 48° N, with a lake and a border.
  @Test func theLandIsWhereTheFileSays() throws {
    var scene = MapScene()
    let world: WorldOutline = try #require(outline(small))
    scene.outline = world
    scene.viewport = .centered(MapCoordinate(latitude: 47.5, longitude: 9.5), metersPerPixel: 400)
    let recorder = CanvasRecorder(scene)
    // The water of the whole picture, the land, the lake.
    #expect(recorder.fills.count >= 3)
    guard case .ring(let ring) = recorder.fills[1].path.parts.first else {
      Issue.record("no land")
      return
    }
    let west = scene.projection.point(of: MapCoordinate(latitude: 47, longitude: 9))
    let corner = try #require(ring.first)
    #expect((corner.x - west.x).magnitude < 1e-6 && (corner.y - west.y).magnitude < 1e-6)
    #expect(ring.count == 4)
    #expect(recorder.strokes.contains { !$0.stroke.dashes.isEmpty })
  }

  @Test(arguments: [
    "", "{}", "[[[", "{\"land\":[[[1,2,3]]]}", "{\"land\":[[[99999999999999999999,1]]]}", "{\"land\":[[[[[[1,2]]]]]]}",
    "{\"land\":[[[400000,10]]]}", "]", "{\"land\":[[[1,2,3,4]]]",
  ]) func anythingElseIsRefused(text: String) {
    let found = outline(text)
    if text.hasSuffix("]]]") {
      #expect(found != nil, "the closing brace has no meaning")
    } else {
      #expect(found == nil)
    }
  }

  @Test func everyPrefixIsReadOrRefused() {
    let bytes = Array(small.utf8)
    for count in 0..<bytes.count { _ = WorldOutline(Array(bytes[..<count]).span) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = WorldOutline(changed.span)
    }
  }
}
