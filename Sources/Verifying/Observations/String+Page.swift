extension String {
  /// A source's name, and behind it the page, as people read it: `wall.pdf, page 2`.
  ///
  /// - Parameter page: The page, from 1; `nil` for what has no pages.
  package func onPage(_ page: Int?) -> String { page.map { "\(self), page \($0)" } ?? self }
}
