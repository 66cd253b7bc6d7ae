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
