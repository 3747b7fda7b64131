package import Geodesy
package import LinuxDevices
package import LinuxIO
package import LocationIPC
package import Positioning

/// Fetches the tiles at the machine's position, and those around it, from a folder or a file server.
package final class RemoteTileSource {
  private let loop: EventLoop
  private let knowledge: AccessPointDatabase
  private let source: TileSource
  private let link: FetchLink
  private lazy var shelf = TileImporter(loop: loop, knowledge: knowledge, most: most, for: self)
  private let most: Int
  private unowned let observer: any OutsideObserver
  private var fetching = TileFetching()
  private var reading: TimerID?

  package init(
    loop: EventLoop, knowledge: AccessPointDatabase, source: TileSource, link: FetchLink, most: Int? = nil,
    observer: any OutsideObserver
  ) {
    self.loop = loop
    self.knowledge = knowledge
    self.source = source
    self.link = link
    self.most = most ?? TileImporter.most
    self.observer = observer
  }

  /// Called when the importer has stored a tile, or cannot store it.
  func shelved() {
    handle(.kept)
    observer.tileStored()
  }

  package var standing: NetworkSourceStatus {
    let name =
      switch source {
      case .folder(let path): path
      case .web(let address): address.host
      }
    return NetworkSourceStatus(name: name, problem: fetching.problem, badTiles: fetching.badCount)
  }

  /// Whether nothing is left to fetch.
  package var isDone: Bool { fetching.isDone }

  /// Reports the machine's position.
  package func note(_ place: Coordinate) { handle(.at(place)) }

  /// Stops fetching; the next reported position starts it again.
  package func forget() {
    link.close()
    shelf.close()
    if let reading { loop.cancel(reading) }
    (reading, fetching) = (nil, TileFetching())
  }

  private func handle(_ input: TileFetching.Input) {
    for action in fetching.handle(input, at: loop.now, on: WallClock.believable) {
      switch action {
      case .recall(let keys): handle(.recalled(knowledge.use(keys)))
      case .fetch(let key): fetch(key)
      case .keep(let key, let places): shelf.put(places, of: key, askedAt: WallClock.believable)
      case .note(let key): _ = knowledge.note(key, askedAt: WallClock.believable, places: nil)
      }
    }
  }

  private func fetch(_ key: TileKey) {
    switch source {
    case .web(let address):
      guard let order = address.appending(key.path).flatMap({ FetchRequest(.tile, $0) }) else {
        return later(.failed(.badAddress))
      }
      link.ask(order) { [unowned self] in receive($0) }
    case .folder(let folder): later(Self.read(key, in: folder))
    }
  }

  /// The content of a file is available at once; the result is delivered from the loop nevertheless, as for a server.
  private func later(_ reply: FetchResponse) {
    reading = loop.schedule(at: loop.now) { [unowned self] in
      reading = nil
      receive(reply)
    }
  }

  private func receive(_ reply: FetchResponse) {
    handle(.replied(reply))
    observer.tileReplied()
  }

  private static func read(_ key: TileKey, in folder: String) -> FetchResponse {
    do throws(SystemError) {
      // A missing folder is an error, unlike a folder without tiles.
      try FileStatus.expectFolder(folder)
      let bytes = try StateFile.read("\(folder)/\(key.path)", maximumSize: AccessPointTile.maximumSize)
      return .answered(bytes.map { WebResponse(status: 200, body: $0) } ?? WebResponse(status: 404))
    } catch {
      return .failed(.unreadable(errno: error.errno))
    }
  }
}
