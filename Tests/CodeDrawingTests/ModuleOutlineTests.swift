import Testing

@testable import CodeDrawing

@Suite("Outlines")
struct ModuleOutlineTests {
  @Test("the outlines filled by either rule are the dark modules, once around each")
  func random() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let side = Int.random(in: 1...12, using: &generator)
      let modules = (0..<side).map { _ in
        (0..<side).map { _ in Int.random(in: 0...1, using: &generator) }
      }
      let outline = ModuleOutline(side: side, modules: modules.flatMap { $0.map(UInt8.init) })
      var reader = PathReader()
      for loop in outline.loops {
        #expect(loop.sides.count.isMultiple(of: 2))
        reader.move(loop.x, loop.y)
        for (index, length) in loop.sides.dropLast().enumerated() {
          #expect(length != 0)
          reader.line(
            byX: index.isMultiple(of: 2) ? length : 0, y: index.isMultiple(of: 2) ? 0 : length)
        }
      }
      // Each module is wound around once or not at all, so even-odd and nonzero agree.
      #expect(reader.windings(side: side) == modules)
      #expect(reader.isRectilinear)
    }
  }

  @Test("a ring is an outer outline and a hole that runs the other way")
  func ring() {
    let outline = ModuleOutline(side: 3, modules: [1, 1, 1, 1, 0, 1, 1, 1, 1])
    #expect(
      outline.loops == [
        .init(x: 0, y: 0, sides: [3, 3, -3, -3]), .init(x: 1, y: 2, sides: [1, -1, -1, 1]),
      ])
  }

  @Test("modules that touch only at a corner stay two outlines")
  func corner() {
    #expect(ModuleOutline(side: 2, modules: [1, 0, 0, 1]).loops.count == 2)
    #expect(ModuleOutline(side: 2, modules: [0, 1, 1, 0]).loops.count == 2)
  }

  @Test("nothing dark has no outline")
  func empty() {
    #expect(ModuleOutline(side: 2, modules: [0, 0, 0, 0]).loops.isEmpty)
  }
}
