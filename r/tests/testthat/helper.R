# Tests that ask the command need it; a machine without it says so.
needs_command <- function() testthat::skip_if_not(has_scoreproof(), "the command scoreproof is not installed")

# What the command itself prints, without this package between.
command_json <- function(...) {
  command <- scoreproof_command()
  printed <- suppressWarnings(system2(command[1], shQuote(c(command[-1], ...)), stdout = TRUE, stderr = FALSE))
  jsonlite::fromJSON(paste(printed, collapse = "\n"), simplifyVector = FALSE)
}

written <- function(data, ending = ".csv") {
  path <- tempfile(fileext = ending)
  if (ending == ".csv") utils::write.csv(data, path, row.names = FALSE, na = "") else writeLines(data, path)
  path
}

results <- data.frame(
  study = c("Smith", "Jones", "Brown", "Green"), P = 38, N = 262,
  Acc = c("0.9433", "0.9483", "0.9300", "9x.0"), Recall = "0.9211", Spec = "0.9466",
  row.names = c("a", "b", "c", "d")
)

or_na <- function(value) if (is.null(value)) NA else value
