# check_scores(): one claim, a text, a list, or a data frame with a claim in every row.

check_scores <- function(scores, ...) UseMethod("check_scores")

check_scores.default <- function(scores, ...) {
  what <- "expected scores with their names, as in c(acc = \"0.9567\", sens = \"0.8500\"), a text, a list, or a data frame"
  stop(sprintf("%s; found %s", what, class(scores)[1]), call. = FALSE)
}

# A matrix of texts, as as.matrix() makes of a data frame, holds its rows.
check_scores.matrix <- function(scores, ...) check_scores(as.data.frame(scores, stringsAsFactors = FALSE), ...)

check_scores.character <- function(scores, ..., digits = NULL) {
  if (is.null(names(scores))) {
    if (!is.null(digits)) stop("digits: is about numbers; a text says how many were printed", call. = FALSE)
    return(judged(paste(scores, collapse = "\n"), options_of(...)))
  }
  check_scores(as.list(scores), ..., digits = digits)
}

check_scores.numeric <- function(scores, ..., digits = NULL) check_scores(as.list(scores), ..., digits = digits)

check_scores.list <- function(scores, ..., digits = NULL) {
  check_digits(digits)
  if (!length(scores)) stop("there is nothing to check: no score is given", call. = FALSE)
  if (is.null(names(scores))) {
    if (!all(vapply(scores, function(each) is.list(each) && !is.null(names(each)) && is_claim(each), NA))) {
      stop("scores need their names, as in c(acc = \"0.9567\", sens = \"0.8500\")", call. = FALSE)
    }
    if (!is.null(digits) || ...length()) {
      stop("a list of claims says everything by itself; leave out the other arguments", call. = FALSE)
    }
    return(several(judged(json_of(list(claims = scores)), character())))
  }
  claim <- if (is_claim(scores)) scores else list(scores = scores)
  if (length(claim$scores)) claim$scores <- scores_of(as.list(claim$scores), digits)
  judged(json_of(claim), options_of(...))
}

# Whether a list has the shape of a claim file, and is not a list of scores.
is_claim <- function(value) !is.null(value[["experiment"]]) || !is.null(names(value[["scores"]]))

# Scores as text; numbers with the digits that were printed, if that is said.  What is missing was not printed.
scores_of <- function(scores, digits) {
  names <- names(scores)
  if (any(!nzchar(names))) stop("each score needs its name, as in c(acc = \"0.9567\")", call. = FALSE)
  if (anyDuplicated(names)) stop(sprintf("%s is given twice; keep one", names[anyDuplicated(names)]), call. = FALSE)
  one <- vapply(scores, function(each) is.atomic(each) && length(each) == 1, NA)
  if (!all(one)) stop(sprintf("%s: expected one figure as printed", names[!one][1]), call. = FALSE)
  scores <- scores[!vapply(scores, is.na, NA)]
  if (!length(scores)) stop("there is nothing to check: every score is missing", call. = FALSE)
  odd <- setdiff(names(digits), names)
  if (length(odd)) stop(sprintf("digits: no score is called '%s'", odd[1]), call. = FALSE)
  for (name in names(scores)) {
    own <- if (is.null(names(digits))) digits else unlist(digits[name][!is.na(digits[name])])
    value <- scores[[name]]
    if (is.factor(value)) value <- as.character(value)
    if (is.numeric(value) && length(own)) value <- printed(value, own[[1]], name)
    scores[[name]] <- value
  }
  scores
}

judged <- function(text, options) {
  force(options) # what is wrong with them is told first
  answer <- ask(c("check", "-", "--json", options), text)$text
  if (is.null(from_json(answer)$verdicts)) return(verdict_of(answer))
  # each verdict of several as it was printed, for verify_verdict(): they are set in by four spaces
  first <- which(answer == "    {")
  last <- which(answer %in% c("    }", "    },"))
  texts <- Map(function(from, to) c(answer[seq_len(to - from) + from - 1], "    }"), first, last)
  structure(lapply(unname(texts), verdict_of), class = "scoreproof_verdicts")
}

several <- function(found) {
  if (inherits(found, "scoreproof_verdicts")) found else structure(list(found), class = "scoreproof_verdicts")
}

ADDED <- c("status", "conflict", "severity", "witness", "note")

check_scores.data.frame <- function(scores, ..., columns = NULL, digits = NULL, prefix = "") {
  added <- paste0(prefix, ADDED)
  if (!nrow(scores)) {
    check_columns(scores)
    scores[added] <- list(character())
    return(result(scores, "scoreproof_checks", character(), prefix = prefix))
  }
  given <- c(table_options(columns, digits), if (nzchar(prefix)) c("--prefix", prefix), options_of(...))
  answer <- ask(c("batch", "INPUT", "-o", "OUTPUT", "--json", given), json_lines(scores), "jsonl")
  summary <- from_json(answer$text)
  rows <- lapply(answer$rows, from_json)
  stopifnot(length(rows) == nrow(scores))
  for (name in added) scores[[name]] <- words_of(rows, name)
  read_as <- vapply(summary$columns, function(each) each$read_as, "")
  names(read_as) <- vapply(summary$columns, function(each) each$column, "")
  warn_of_columns(scores, read_as, digits, list(...)$eps)
  result(scores, "scoreproof_checks", read_as, prefix = prefix)
}

# The same cell of every row as text, in R's words; NA where there is nothing to say.
words_of <- function(rows, name) {
  in_r(vapply(rows, function(row) if (is.null(row[[name]])) NA_character_ else as.character(row[[name]]), ""))
}

# A data frame of the kind that was given, which knows what its columns were read as.
result <- function(data, class, read_as, ...) {
  data <- structure(data, read_as = read_as, ...)
  class(data) <- c(class, setdiff(class(data), class))
  data
}

table_options <- function(columns, digits) {
  check_digits(digits)
  columns <- as.list(columns)
  named <- !is.null(names(columns)) && all(nzchar(names(columns)))
  if (length(columns) && !(named && all(lengths(columns) <= 1))) {
    stop("columns: expected names with what they are, as in columns = c(\"Sens.\" = \"sens\", kernel = NA)", call. = FALSE)
  }
  said <- vapply(columns, function(each) if (!length(each) || is.na(each)) "" else as.character(each), "")
  pairs <- if (length(said)) paste0(names(said), "=", said)
  counts <- if (is.null(names(digits))) digits else paste0(names(digits), "=", digits)
  c(as.vector(rbind(rep("--columns", length(pairs)), pairs)), as.vector(rbind(rep("--decimals", length(counts)), counts)))
}

# A warning where numbers have lost zeros, and where names of columns were lost, which happens on the way into R.
warn_of_columns <- function(data, read_as, digits, eps) {
  idle <- grepl("^(not used|left out|names the row|distance)", read_as)
  odd <- names(read_as)[grepl("^not used", read_as) & grepl("\\.\\.|\\.$|\\.[0-9]+$", names(read_as))]
  if (length(odd)) {
    told <- "not used: %s; read.csv() may have changed the names, which check.names = FALSE keeps as they are"
    warning(sprintf(told, paste(odd, collapse = ", ")), call. = FALSE)
  }
  if (!is.null(eps) || length(digits) && is.null(names(digits))) return(invisible())
  shorter <- list()
  for (name in setdiff(names(read_as)[!idle], names(digits))) {
    if (!is.double(data[[name]]) || is.object(data[[name]])) next
    shown <- decimals_of(data[[name]])
    least <- which.min(shown)
    if (length(least) && shown[least] < max(shown, na.rm = TRUE)) {
      most <- max(shown, na.rm = TRUE)
      from <- number_text(data[[name]][least])
      shorter[[name]] <- list(from = from, to = formatC(data[[name]][least], digits = most, format = "f"), most = most)
    }
  }
  if (!length(shorter)) return(invisible())
  way <- paste0(ifelse(make.names(names(shorter)) == names(shorter), names(shorter), dQuote(names(shorter), FALSE)),
    " = ", vapply(shorter, function(each) each$most, 0L), collapse = ", ")
  warning(sprintf(
    "%s: numbers have lost their trailing zeros (%s may have been printed as %s); read the table as text, %s, or say %s",
    paste(names(shorter), collapse = ", "), shorter[[1]]$from, shorter[[1]]$to,
    "as in read.csv(file, colClasses = \"character\")", sprintf("digits = c(%s)", way)
  ), call. = FALSE)
}
