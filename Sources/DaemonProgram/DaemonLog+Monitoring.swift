import LocationdRecords

/// What is watched for programs that come and go: lines for the person in charge.
extension DaemonLog {
  func write(_ news: LaunchNews) {
    switch news {
    case .cannotReach, .slowed, .failed: line(.warning, news.sentence)
    case .reached, .caughtUp: line(.information, news.sentence)
    }
  }

  func write(_ news: MonitoringNews) {
    switch news {
    case .resumed(let lists, let regions):
      line(.information, "\(regions) regions of \(lists) programs are watched again.")
    case .cannotKeep(let path, let reason?):
      line(.error, "What is watched cannot be kept in \(clean(path)): \(clean(reason)).")
    case .cannotKeep(let path, nil): line(.information, "What is watched is kept in \(clean(path)) again.")
    case .setAside(let name):
      line(.error, "What was watched was damaged; it was set aside as \(clean(name)), and a new file begun.")
    case .dropped(let list, let count):
      line(.warning, "\(count) events of \(clean(list)) were dropped, as nobody has heard them for too long.")
    }
  }
}
