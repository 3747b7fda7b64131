import Foundation
import MapSnapshot
import Testing

/// What cairo makes of a scene: the colors at computed pixels, and files that other programs read.
@Suite struct PictureTests {
  private static let home = MapCoordinate(latitude: 60, longitude: 9.5)

  /// The color of a pixel, without alpha.
  private struct Pixels {
    let width: Int
    let bytes: [UInt8]

    init(_ scene: MapScene, scale: Int = 1) throws {
      (width, _, bytes) = try MapPicture(scene, scale: scale).pixels()
    }

    func color(_ x: Double, _ y: Double) -> [Int] {
      let index = 4 * (Int(y) * width + Int(x))
      return [2, 1, 0].map { Int(bytes[index + $0]) }
    }
  }

  private func near(_ a: [Int], _ b: [Int], _ most: Int = 6) -> Bool {
    zip(a, b).allSatisfy { ($0 - $1).magnitude <= UInt(most) }
  }

  private static func scene(_ elements: [MapElement], _ appearance: MapAppearance = .light) -> MapScene {
    var scene = MapScene()
    (scene.elements, scene.appearance) = (elements, appearance)
    scene.viewport = .centered(home, metersPerPixel: 4)
    return scene
  }

  /// A circle of 400 m at 4 m for a pixel: its line is 100 pixels from the middle, in all directions.
  @Test func theLineOfACircleIsAtItsRadius() throws {
    let red = MapColor(0xE00000)
    let circle = MapCircle(
      center: Self.home, radius: 400, style: MapShapeStyle(stroke: red, fill: MapColor(0x00C000), lineWidth: 3))
    let pixels = try Pixels(Self.scene([.circle(circle)]))
    for turn in stride(from: 0.0, to: 1, by: 1.0 / 16) {
      let (x, y) = (Foundation.cos(turn * 2 * .pi), Foundation.sin(turn * 2 * .pi))
      func at(_ radius: Double) -> [Int] { pixels.color(256 + radius * x, 256 + radius * y) }
      #expect(near(at(100), [0xE0, 0, 0], 90), "\(turn): \(at(100))")
      #expect(near(at(95), [0, 0xC0, 0]), "\(turn): \(at(95))")
      // The grid may cross it.
      #expect(at(105)[0] > 0xD0 && at(105)[1] > 0xC0, "\(turn): \(at(105))")
    }
  }

  @Test func aHoleShowsWhatIsBelow() throws {
    func square(_ size: Double) -> [MapCoordinate] {
      [(-1.0, -1.0), (-1, 1), (1, 1), (1, -1)].map {
        MapCoordinate(latitude: 60 + $0.0 * size, longitude: 9.5 + $0.1 * 2 * size)
      }
    }
    let polygon = MapPolygon(
      square(0.005), interior: [square(0.002)],
      style: MapShapeStyle(stroke: MapColor(0x0000FF), fill: MapColor(0x00C000)))
    let scene = Self.scene([.polygon(polygon)])
    let pixels = try Pixels(scene)
    func at(_ north: Double, _ east: Double) -> [Int] {
      let point = scene.projection.point(of: MapCoordinate(latitude: 60 + north, longitude: 9.5 + east))
      return pixels.color(point.x, point.y)
    }
    #expect(near(at(0.0035, 0.0011), [0, 0xC0, 0]))
    #expect(near(at(0.0011, 0.0013), [0xF6, 0xF3, 0xEC], 30), "\(at(0.0011, 0.0013))")
  }

  @Test(arguments: MapAppearance.allCases) func theDotIsBlueWithAWhiteRim(appearance: MapAppearance) throws {
    let dot = MapAnnotation(at: Self.home, symbol: .position())
    let pixels = try Pixels(Self.scene([.annotation(dot)], appearance))
    let blue = appearance == .light ? [0x1A, 0x6D, 0xFF] : [0x5B, 0x9B, 0xFF]
    #expect(near(pixels.color(256, 256), blue))
    #expect(near(pixels.color(263, 256), [255, 255, 255], 40))
    let background = pixels.color(140, 340)
    #expect((background.reduce(0, +) > 500) == (appearance == .light), "\(background)")
  }

  @Test func aScaleHasMorePixelsOfTheSamePicture() throws {
    let scene = Self.scene([.annotation(MapAnnotation(at: Self.home, symbol: .position()))])
    let pixels = try Pixels(scene, scale: 3)
    #expect(pixels.width == 1536 && pixels.bytes.count == 4 * 1536 * 1536)
    #expect(near(pixels.color(768, 768), [0x1A, 0x6D, 0xFF]))
    #expect(throws: MapPictureError.self) { try MapPicture(scene, scale: 9).png() }
    #expect(throws: MapPictureError.self) { try MapPicture(MapScene(width: 4096), scale: 2).png() }
  }

  /// The signature and the first chunk (PNG, third edition, sections 5.2 and 11.2.1), and no time, so that the same scene gives the same bytes.
  @Test func thePNGHasTheSizeAndIsTheSameEachTime() throws {
    var scene = Self.scene([])
    (scene.width, scene.height) = (300, 200)
    let bytes = try MapPicture(scene).png()
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(bytes[16..<24] == [0, 0, 1, 44, 0, 0, 0, 200])
    #expect(try MapPicture(scene).png() == bytes)
  }

  @Test(
    .enabled(
      if: ToolRun.isInstalled("/usr/bin/xmllint") && ToolRun.isInstalled("/usr/bin/rsvg-convert"),
      "needs xmllint (libxml2-utils) and rsvg-convert (librsvg2-bin)"))
  func otherProgramsReadTheSVG() throws {
    var scene = Self.scene([
      .circle(MapCircle(center: Self.home, radius: 400, title: "<&\"' Café 漢字")),
      .annotation(MapAnnotation(at: Self.home, title: "Home", symbol: .position(course: 30))),
    ])
    scene.width = 320
    scene.legend = MapLegend(title: "Legend", lines: ["a line"])
    let svg = Data(try MapPicture(scene).svg())
    let checked = try ToolRun("/usr/bin/xmllint", ["--noout", "--nonet", "map.svg"], files: ["map.svg": svg])
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(String(decoding: svg.prefix(300), as: UTF8.self).contains("width=\"320px\" height=\"512px\""))
    let converted = try ToolRun(
      "/usr/bin/rsvg-convert", ["map.svg", "-o", "map.png"], files: ["map.svg": svg], result: "map.png")
    #expect(converted.status == 0, "\(converted.errors)")
    let png = try #require(converted.result)
    #expect(png[16..<24] == Data([0, 0, 1, 64, 0, 0, 2, 0]))
  }
}
