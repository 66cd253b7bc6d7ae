import SymbolStructure
import Synchronization

/// The modules of a small symbol that do not depend on its contents, and the edges between them.
struct SmallPatterns: Sendable {
  /// The modules, row by row.
  let modules: [FunctionPatterns.Module]
  /// The edges between these modules, and to the quiet zone.
  let edges: [FunctionPatterns.Edge]

  /// Returns the patterns of a form; computed once.
  static func of(_ form: SmallForm) -> SmallPatterns {
    all.withLock { all in
      if let known = all[form] { return known }
      let patterns = SmallPatterns(SmallLayout.of(form))
      all[form] = patterns
      return patterns
    }
  }

  private static let all = Mutex<[SmallForm: SmallPatterns]>([:])

  private init(_ layout: SmallLayout) {
    let modules = layout.patterns.map { isDark -> FunctionPatterns.Module in
      isDark.map { $0 ? .dark : .light } ?? .unknown
    }
    self.modules = modules
    edges = Self.edges(width: layout.width, height: layout.height) { modules[$0] }
  }

  /// Returns the edges between the modules of different colours, and between dark ones and the quiet
  /// zone.
  ///
  /// - Parameter module: the colour of the module at an index; edges of unknown ones are left out.
  static func edges(
    width: Int, height: Int, _ module: (Int) -> FunctionPatterns.Module
  ) -> [FunctionPatterns.Edge] {
    func at(_ column: Int, _ row: Int) -> FunctionPatterns.Module {
      guard (0..<width).contains(column), (0..<height).contains(row) else { return .light }
      return module(row * width + column)
    }
    var edges: [FunctionPatterns.Edge] = []
    for row in 0...height {
      for column in 0...width {
        let after = at(column, row)
        for (before, isVertical) in [(at(column - 1, row), true), (at(column, row - 1), false)]
        where before != after && before != .unknown && after != .unknown {
          edges.append(
            FunctionPatterns.Edge(
              u: Double(column) + (isVertical ? 0 : 0.5),
              v: Double(row) + (isVertical ? 0.5 : 0), isVertical: isVertical,
              isDarkFirst: before == .dark))
        }
      }
    }
    return edges
  }
}
