/// Points that lie near each other: each is within a distance of another of its cluster (single
/// linkage).
///
/// Points are first put into cells of a tenth of the distance, of which each is one point from then
/// on; so the distance is exact to a fifth, and a hundred thousand stops in a town are some hundred.
struct GroundClusters {
  /// The places in the list of points, by cluster; clusters in the order of their first points.
  let clusters: [[Int]]

  init(_ points: [GroundPoint], within distance: Double) {
    let grain = distance / 10
    var cells: [Cell: Int] = [:]
    var members: [[Int]] = []
    for (index, point) in points.enumerated() {
      let cell = Cell(point, size: grain)
      if let known = cells[cell] {
        members[known].append(index)
      } else {
        cells[cell] = members.count
        members.append([index])
      }
    }
    let heads = members.map { points[$0[0]] }
    var forest = Array(heads.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while forest[index] != index {
        forest[index] = forest[forest[index]]
        index = forest[index]
      }
      return index
    }
    // Cells as large as the distance: what is near lies in the same or a neighbouring one.
    let wide = Dictionary(grouping: heads.indices) { Cell(heads[$0], size: distance) }
    for (cell, inside) in wide {
      for other in cell.neighbours {
        for second in wide[other] ?? [] {
          for first in inside
          where heads[first].squaredDistance(to: heads[second]) <= distance * distance {
            let (one, two) = (root(first), root(second))
            forest[max(one, two)] = min(one, two)
          }
        }
      }
    }
    var clusters: [Int: [Int]] = [:]
    for index in heads.indices { clusters[root(index), default: []] += members[index] }
    self.clusters = clusters.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// A cube of space.
  private struct Cell: Hashable {
    let x, y, z: Int

    init(_ point: GroundPoint, size: Double) {
      x = Int((point.x / size).rounded(.down))
      y = Int((point.y / size).rounded(.down))
      z = Int((point.z / size).rounded(.down))
    }

    private init(x: Int, y: Int, z: Int) {
      self.x = x
      self.y = y
      self.z = z
    }

    /// The cube itself and all that touch it.
    var neighbours: [Cell] {
      (-1...1).flatMap { x in
        (-1...1).flatMap { y in
          (-1...1).map { z in Cell(x: self.x + x, y: self.y + y, z: self.z + z) }
        }
      }
    }
  }
}
