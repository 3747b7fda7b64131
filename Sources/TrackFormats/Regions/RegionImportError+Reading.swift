extension RegionImportError {
  init(_ problem: JSONProblem) {
    switch problem.reason {
    case .expected(let expectation): self = .notJSON(expectation, problem.place)
    case .tooDeep(let most): self = .tooDeep(most: most, problem.place)
    case .cutOff: self = .cutOff(problem.place)
    }
  }
}
