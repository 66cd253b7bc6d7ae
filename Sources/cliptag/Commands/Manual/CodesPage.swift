/// The man page that lists every exit status, failure and finding.
enum CodesPage {
  static let name = "cliptag-codes"

  /// The page without its head.
  static var text: String {
    var page = Mdoc()
    page.macro("Sh NAME")
    page.macro("Nm cliptag\\-codes")
    page.macro("Nd findings and failures of cliptag")
    page.macro("Sh DESCRIPTION")
    page.prose(
      "Each reason of a verdict and each failure has a code, which never changes its name or its "
        + "meaning. Findings are shown with their code in brackets; with --json both have a member "
        + "code. The command cliptag explain shows the meaning of one.")
    page.macro("Sh EXIT STATUS")
    page.list(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page.macro("Pp")
    page.prose(ExitStatus.ofSeveral)
    page.macro("Sh FAILURES")
    page.prose(
      "What keeps a command from doing its work, with the exit status. Where a URL is wanted and "
        + "another text is given, the code is that of the finding, and the status is "
        + "\(ExitStatus.usage.rawValue).")
    page.list(
      CodeEntry.failures.map { ("Cm \(Mdoc.argument($0.code)) Pq \($0.statusText)", $0.meaning) })
    page.macro("Sh FINDINGS")
    page.prose(
      "The reasons of a verdict, and what is worth telling about a job. Each comes with its "
        + "severity: note, warning or error.")
    page.list(
      CodeEntry.findings.map { entry in
        let next = entry.advice.map { " \($0)" } ?? ""
        return ("Cm \(Mdoc.argument(entry.code))", entry.meaning + next)
      })
    page.macro("Sh SEE ALSO")
    page.macro("Xr cliptag 1 ,")
    page.macro("Xr cliptag-explain 1")
    return page.text
  }
}

/// The DocC article that lists every exit status, finding and failure.
enum CodesArticle {
  /// The article, as it stands in the sources.
  static var text: String {
    """
    # Findings and failures

    What the exit statuses and the codes of results mean.

    ## Overview

    Made from the sources by `make codes`; do not edit it. `cliptag explain CODE` says the same, and
    `cliptag explain --json` all of it for programs. No code ever changes its name or its meaning.

    ## Exit status

    | status | meaning |
    | --- | --- |
    \(table(ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }))

    \(ExitStatus.ofSeveral)

    ## Failures

    What keeps a command from doing its work. With `--json` a failure is an `error` line with the
    members `code`, `message` and `hint`. Where a URL is wanted and another text is given, the code is
    that of the finding, and the status is \(ExitStatus.usage.rawValue).

    | code | status | meaning |
    | --- | --- | --- |
    \(table(CodeEntry.failures.map { ["`\($0.code)`", $0.statusText, $0.meaning] }))

    ## Findings

    The reasons of a verdict, and what is worth telling about a job. Each comes with its severity:
    `note`, `warning` or `error`. The last ones are warnings about what is to be printed. What to do is
    said where it does not depend on the case.

    | code | meaning | what to do |
    | --- | --- | --- |
    \(table(CodeEntry.findings.map { ["`\($0.code)`", $0.meaning, $0.advice ?? ""] }))

    """
  }

  private static func table(_ rows: [[String]]) -> String {
    rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}
