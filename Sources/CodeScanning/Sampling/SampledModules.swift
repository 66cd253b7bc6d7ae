/// The modules of a symbol as they were sampled in a picture.
struct SampledModules: Hashable, Sendable {
  /// Modules on a side, 21, 25 … 177.
  let size: Int
  /// Row by row, how surely dark (towards +1) or light (towards −1) each module is; 0 is unknown.
  var darkness: [Float]

  /// The darkness of one module.
  subscript(column: Int, row: Int) -> Float { darkness[row * size + column] }
}
