/// Finder patterns by place, so that the partners of one are found without looking at all.
struct FinderGrid {
  private let finders: [LocatedFinder]
  /// Indices from left to right.
  private let order: [Int]

  init(_ finders: [LocatedFinder]) {
    self.finders = finders
    order = finders.indices.sorted {
      (finders[$0].centre.x, finders[$0].centre.y, $0)
        < (finders[$1].centre.x, finders[$1].centre.y, $1)
    }
  }

  /// The patterns of about the same size within a number of modules of one.
  func neighbours(of index: Int, within modules: Double) -> [Int] {
    let finder = finders[index]
    let reach = 2 * modules * finder.modulePixels
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if finders[order[middle]].centre.x < finder.centre.x - reach {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var result: [Int] = []
    for other in order[low...] {
      let there = finders[other]
      guard there.centre.x <= finder.centre.x + reach else { break }
      guard other != index, abs(there.centre.y - finder.centre.y) <= reach,
        there.modulePixels < 2.5 * finder.modulePixels,
        finder.modulePixels < 2.5 * there.modulePixels
      else { continue }
      result.append(other)
    }
    return result
  }
}
