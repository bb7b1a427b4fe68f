# rebuild_tables(): every 2x2 table that gives what a study prints.

COUNTS <- c("TP", "FP", "FN", "TN")
NUMBERS <- c(COUNTS, as.vector(t(outer(COUNTS, c("_lower", "_upper"), paste0))), "tables")
YES_NO <- c("unique", "exact")
STUDY <- c("status", NUMBERS, YES_NO, "interval_method", "used", "ignored", "conflict", "note")

rebuild_tables <- function(studies, ..., same = NULL, columns = NULL, digits = NULL) {
  if (!is.data.frame(studies)) studies <- one_study(studies)
  if (!nrow(studies)) stop("the data frame has no rows", call. = FALSE)
  given <- c(table_options(columns, digits), if (!is.null(same)) c("--same", as.character(same)[1]), options_of(...))
  answer <- ask(c("tables", "INPUT", "-o", "OUTPUT", "--json", given), json_lines(studies), "jsonl")
  found <- from_json(answer$text)
  rows <- found$studies
  stopifnot(length(rows) == nrow(studies))
  # columns that name the study are kept, as the file has them that the command writes
  written <- setdiff(names(from_json(answer$rows[1])), STUDY)
  data <- studies[match(sub(" (given)", "", written, fixed = TRUE), names(studies))]
  names(data) <- written
  for (name in STUDY) {
    data[[name]] <- if (name %in% NUMBERS) {
      whole_numbers(rows, name)
    } else if (name %in% YES_NO) {
      words_of(rows, name) == "yes"
    } else {
      words_of(rows, name)
    }
  }
  read_as <- unlist(found$columns)
  warn_of_columns(studies, read_as, digits, NULL)
  result(data, "scoreproof_tables", read_as,
    labels = vapply(rows, function(row) row$study, ""),
    candidates = lapply(rows, function(row) row$candidates),
    claims = lapply(rows, function(row) row$claim),
    together = vapply(found$together, joint_words, "")
  )
}

one_study <- function(scores) {
  if (is.null(names(scores)) || !(is.character(scores) || is.list(scores)) || !all(lengths(scores) == 1)) {
    stop("expected a data frame of studies, or the figures of one, as in c(sens = \"0.92 (0.84-0.97)\")", call. = FALSE)
  }
  as.data.frame(as.list(scores), check.names = FALSE, optional = TRUE, stringsAsFactors = FALSE)
}

# Which class counts fit all rows about the same patients.
joint_words <- function(joint) {
  pairs <- vapply(joint$counts, function(pair) sprintf("%s positives and %s negatives", pair[[1]], pair[[2]]), "")
  if (!length(pairs)) return(sprintf("no class counts fit all %d rows together", joint$rows))
  more <- if (length(pairs) > 5) sprintf(" or %d more", length(pairs) - 5) else ""
  proven <- if (joint$proven) "; every other number of positives is refuted, with proof" else ""
  sprintf("%s%s fit all %d rows together%s", paste(head(pairs, 5), collapse = " or "), more, joint$rows, proven)
}

# Counts as integers, as long as R has such.
whole_numbers <- function(rows, name) {
  found <- vapply(rows, function(row) if (is.null(row[[name]])) NA_real_ else as.numeric(row[[name]]), 0)
  if (any(found > .Machine$integer.max, na.rm = TRUE)) found else as.integer(found)
}

all_tables <- function(rebuilt) {
  candidates <- attr(rebuilt, "candidates")
  if (!inherits(rebuilt, "scoreproof_tables") || length(candidates) != nrow(rebuilt)) {
    stop("expected what rebuild_tables() returned, with all its rows", call. = FALSE)
  }
  sizes <- lengths(candidates)
  counts <- matrix(as.numeric(unlist(candidates)), ncol = 4, byrow = TRUE, dimnames = list(NULL, COUNTS))
  data.frame(
    row = rep(seq_along(sizes), sizes), study = rep(attr(rebuilt, "labels"), sizes), counts,
    choice = sequence(sizes), weight = rep(1 / sizes, sizes),
    # of very many tables only the least and the most accurate are here
    complete = rep(sizes == rebuilt$tables & !is.na(rebuilt$tables), sizes)
  )
}
