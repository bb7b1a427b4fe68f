# A verdict with its proof, and its replay.

verdict_of <- function(text) {
  text <- paste(text, collapse = "\n")
  found <- from_json(text)
  names(found)[names(found) == "verdict"] <- "status"
  structure(found, json = text, class = "scoreproof_verdict")
}

as.character.scoreproof_verdict <- function(x, ...) attr(x, "json")

`[.scoreproof_verdicts` <- function(x, i) structure(unclass(x)[i], class = class(x))

verify_verdict <- function(verdict, against = NULL, details = FALSE) {
  if (inherits(verdict, "scoreproof_verdicts")) {
    found <- lapply(verdict, verify_verdict, against = against, details = details)
    return(if (details) found else unlist(found))
  }
  if (inherits(verdict, "scoreproof_verdict")) {
    text <- as.character(verdict)
  } else if (is.character(verdict) && length(verdict) && !anyNA(verdict)) {
    text <- paste(verdict, collapse = "\n")
  } else {
    stop("expected a verdict of check_scores(), its JSON, or the name of a file that holds it", call. = FALSE)
  }
  held <- character()
  if (!is.null(against)) {
    file <- is.character(against) && length(against) == 1 && is.null(names(against))
    if (!file) {
      path <- tempfile(fileext = ".json")
      on.exit(unlink(path))
      write_text(json_of(against), path)
    }
    held <- c("--against", if (file) path.expand(against) else path)
  }
  is_file <- !startsWith(trimws(text), "{")
  answer <- ask(c("verify", if (is_file) path.expand(text) else "-", "--json", held), if (is_file) "" else text)$text
  found <- from_json(answer)
  if (!details) return(found$confirmed)
  found$about <- unlist(found$about)
  found[c("confirmed", "same_claim", "sentence", "about")]
}

# The matrices of a witness as the column `witness` has them; anything else as JSON.
witness_words <- function(witness) {
  if (is.null(witness)) return(NA_character_)
  cells <- tolower(COUNTS)
  parts <- if (is.null(witness$parts)) list(witness) else witness$parts
  if (!all(vapply(parts, function(each) all(cells %in% names(each)), NA))) return(json_of(witness))
  paste(vapply(parts, function(each) paste(COUNTS, unlist(each[cells]), collapse = ", "), ""), collapse = "; ")
}

or_na <- function(words, sep) if (length(words)) paste(unlist(words), collapse = sep) else NA_character_

as.data.frame.scoreproof_verdict <- function(x, row.names = NULL, optional = FALSE, ...) {
  reasons <- c(if (nzchar(x$reason %or% "")) x$reason, unlist(x$notes))
  data.frame(
    status = x$status, conflict = or_na(x$conflict, ", "), severity = or_na(x$severity, ""),
    witness = witness_words(x$witness), note = or_na(reasons, "; "), row.names = row.names
  )
}

as.data.frame.scoreproof_verdicts <- function(x, row.names = NULL, optional = FALSE, ...) {
  found <- do.call(rbind, lapply(x, as.data.frame))
  if (!is.null(row.names)) row.names(found) <- row.names
  found
}

`%or%` <- function(value, otherwise) if (is.null(value)) otherwise else value
