import ScanFixtures
import AppClipCodeFixtures
import AppClipCodes
import Testing

@testable import CodeScanning

@Suite("Grades of App Clip Codes")
struct AppClipCodeGradeTests {
  private let drawn = DrawnAppClipCode("https://fruta.example.com/t/1")

  private func grade(
    _ prepare: (inout AppClipCodePhotograph) -> Void = { _ in }
  ) throws -> AppClipCodeGrade {
    var photograph = AppClipCodePhotograph(drawn)
    photograph.diameter = 220
    prepare(&photograph)
    let found = AppClipCodeLocator().codes(in: photograph.picture(width: 280, height: 280))
    return AppClipCodeGrade(of: try #require(found.first), knownAs: drawn.pattern)
  }

  private func value(
    _ name: AppClipCodeGrade.Parameter.Name, _ grade: AppClipCodeGrade
  ) throws -> Double {
    try #require(grade.parameters.first { $0.name == name }?.value)
  }

  @Test("a clean print is an A in every parameter")
  func clean() throws {
    let grade = try grade()
    #expect(grade.letter == "A")
    #expect(try value(.arcWidth, grade) < 0.1)
    #expect(try value(.damage, grade) == 0)
    #expect(try value(.contrast, grade) > 0.95)
    // Half way between black and white, 128 of 255.
    #expect(abs(try value(.thirdContrast, grade) - 1) < 0.1)
    #expect(abs(try value(.colourContrast, grade) - 0.5) < 0.1)
  }

  @Test("the paler the print, the lower its contrast and its grade")
  func pale() throws {
    var last = 4.1
    for contrast in [1.0, 0.15, 0.1] {
      let grade = try grade { $0.contrast = contrast }
      #expect(grade.decimal < last)
      last = grade.decimal
    }
    #expect(last < 3)
  }

  @Test("what is covered is damage")
  func covered() throws {
    let (whole, covered) = (try grade(), try grade { $0.cover = 0.3 })
    #expect(try value(.damage, covered) > value(.damage, whole))
    #expect(covered.decimal < whole.decimal)
  }

  @Test("of a small code nothing is said about the width of arcs")
  func small() throws {
    let grade = try grade { $0.diameter = 80 }
    #expect(grade.parameters.first { $0.name == .arcWidth }?.grade == nil)
  }

  @Test("a blurred print has shallower gaps")
  func blurred() throws {
    let (sharp, soft) = (try grade(), try grade { $0.blur = 3 })
    #expect(try value(.gapDepth, soft) < value(.gapDepth, sharp))
  }
}
