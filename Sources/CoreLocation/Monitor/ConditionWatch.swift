/// Who watches conditions.
package protocol ConditionWatch: Sendable {
  /// What stands against watching a condition; nothing: it is watched.
  func obstacles(to condition: any CLCondition) -> Circumstances
}

/// Nobody: no condition is supported.
struct UnservedConditions: ConditionWatch {
  func obstacles(to condition: any CLCondition) -> Circumstances { .conditionUnsupported }
}
