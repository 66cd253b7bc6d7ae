import Foundation
import Pictures

extension FuzzTarget {
  /// Where a picture of any format says that it was taken.
  static let exif = FuzzTarget(name: "exif") { bytes in
    for position in OwnReaders.positions(in: bytes) {
      try require(abs(position.latitude) <= 90, "a latitude ends at the poles: \(position)")
      try require(abs(position.longitude) <= 180, "a longitude ends at 180°: \(position)")
      try require(
        position.latitude != 0 || position.longitude != 0, "zeros are no position: \(position)")
      if let error = position.horizontalError {
        try require(error > 0 && error.isFinite, "an error is above zero: \(position)")
      }
      if let time = position.time {
        try require(
          (3e8..<2.6e11).contains(time.timeIntervalSince1970),
          "a picture with a position is not older than satellite navigation: \(position)")
      }
    }
  }
}
