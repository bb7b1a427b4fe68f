# What is shown of verdicts and of whole tables.

wrapped <- function(text, ...) writeLines(strwrap(text, width = 0.95 * getOption("width"), ...))

# -- one verdict ---------------------------------------------------------------------------------

format.scoreproof_verdict <- function(x, ...) {
  clash <- if (length(x$conflict)) paste0(" (", paste(unlist(x$conflict), collapse = ", "), ")") else ""
  paste0(x$status, clash)
}

print.scoreproof_verdict <- function(x, ...) {
  wrapped(x$sentence)
  if (x$status == "undecided") {
    wrapped(x$reason, prefix = "  ")
    wrapped(paste("would settle it:", unlist(x$would_settle)), prefix = "  ")
  }
  for (note in unlist(x$notes)) wrapped(note, prefix = "  ")
  for (argument in x$why) for (step in argument$steps) wrapped(step$words, indent = 2, exdent = 4)
  invisible(x)
}

print.scoreproof_verdicts <- function(x, ...) {
  for (at in seq_along(x)) {
    cat(sprintf("[[%d]]\n", at))
    print(x[[at]])
  }
  invisible(x)
}

summary.scoreproof_verdict <- function(object, ...) {
  said <- function(each) paste(names(each), "=", unlist(each), collapse = ", ")
  readings <- data.frame(
    reading = vapply(object$readings, function(each) if (length(each$assuming)) said(each$assuming) else "as stated", ""),
    status = vapply(object$readings, function(each) each$verdict, "")
  )
  assumptions <- data.frame(
    what = vapply(object$assumptions, function(each) each$what, ""),
    value = vapply(object$assumptions, function(each) as.character(each$value), ""),
    stated = vapply(object$assumptions, function(each) each$stated, NA)
  )
  kept <- list(
    status = object$status, count = object$count, conflict = unlist(object$conflict), severity = object$severity,
    witness = witness_words(object$witness), proof = object$certificate$kind,
    readings = readings, assumptions = assumptions
  )
  structure(kept, class = "summary.scoreproof_verdict")
}

print.summary.scoreproof_verdict <- function(x, ...) {
  line <- function(name, value) if (length(value) && !is.na(value[1])) cat(sprintf("%-13s%s\n", name, paste(value, collapse = ", ")))
  line("status", x$status)
  line("matrices", x$count)
  line("clashing", x$conflict)
  line("severity", x$severity)
  line("for example", x$witness)
  line("proof", x$proof)
  shown <- function(title, table) {
    if (!nrow(table)) return()
    cat(title, "\n", sep = "")
    print(table, row.names = FALSE, right = FALSE)
  }
  shown("readings:", x$readings)
  shown("assumptions:", x$assumptions)
  invisible(x)
}

# -- tables --------------------------------------------------------------------------------------

STATUSES <- c("consistent", "inconsistent", "undecided", "unreadable")

prefix_of <- function(x) {
  known <- attr(x, "prefix")
  if (is.null(known)) "" else known
}

# "4 rows: 1 consistent, 2 inconsistent, 1 unreadable"
counted <- function(x, what, statuses) {
  found <- table(factor(statuses, STATUSES))
  found <- found[found > 0]
  many <- if (nrow(x) == 1) what[1] else what[2]
  told <- if (length(found)) paste0(": ", paste(found, names(found), collapse = ", ")) else ""
  sprintf("%d %s%s", nrow(x), many, told)
}

not_used <- function(x) {
  read_as <- attr(x, "read_as")
  idle <- sub("^not used", "", read_as[grepl("^not used", read_as)])
  if (length(idle)) paste0("not used: ", paste0(names(idle), idle, collapse = ", ")) else character()
}

# Long words cut, so that a row stays a line; what is missing is empty, and what holds for all rows is left out.
shortened <- function(data, columns, width = 40) {
  for (name in intersect(columns, names(data))) {
    text <- sub("(^|; )not used: [^;]*$", "", as.character(data[[name]]))
    long <- !is.na(text) & nchar(text) > width
    text[long] <- paste0(substr(text[long], 1, width - 3), "...")
    text[is.na(text)] <- ""
    data[[name]] <- text
  }
  data
}

as.data.frame.scoreproof_checks <- function(x, row.names = NULL, optional = FALSE, ...) {
  for (name in setdiff(names(attributes(x)), c("names", "row.names", "class"))) attr(x, name) <- NULL
  class(x) <- "data.frame"
  if (!is.null(row.names)) row.names(x) <- row.names
  x
}

as.data.frame.scoreproof_tables <- as.data.frame.scoreproof_checks

format.scoreproof_checks <- function(x, ..., width = 40) {
  own <- intersect(paste0(prefix_of(x), ADDED), names(x))
  data <- shortened(as.data.frame(x), own, width)
  nothing <- vapply(data[own], function(column) !any(nzchar(column)), NA)
  data[setdiff(names(data), own[nothing])]
}

print.scoreproof_checks <- function(x, ..., n = 20, width = 40) {
  status <- as.data.frame(x)[[paste0(prefix_of(x), "status")]]
  cat(counted(x, c("row", "rows"), status), "\n", sep = "")
  print_rows(format(x, width = width), n, ...)
  wrapped(not_used(x))
  invisible(x)
}

# A study or a claim stays a line, even if that is a little longer than others.
line_width <- function() max(100, getOption("width"))

print_rows <- function(data, n, ...) {
  before <- options(width = line_width())
  on.exit(options(before))
  if (nrow(data)) print(head(data, n), ..., right = FALSE)
  if (nrow(data) > n) cat(sprintf("... and %d more rows; print(x, n = Inf) shows all\n", nrow(data) - n))
}

# A study a line: what it is called, its counts, how many tables there are, and what else there is to say.
format.scoreproof_tables <- function(x, ..., width = line_width()) {
  data <- as.data.frame(x)
  if (!all(STUDY %in% names(data))) return(data)
  ends <- function(cell) {
    low <- data[[paste0(cell, "_lower")]]
    high <- data[[paste0(cell, "_upper")]]
    told <- ifelse(is.na(high), paste(low, "or more"), ifelse(low == high, as.character(low), paste(low, "to", high)))
    ifelse(is.na(low), "", told)
  }
  labels <- attr(x, "labels")
  names <- setdiff(names(data), STUDY)
  shown <- if (length(labels) == nrow(data)) data.frame(study = labels, row.names = row.names(data)) else data[head(names, 1)]
  for (cell in COUNTS) shown[[cell]] <- ends(cell)
  shown$tables <- ifelse(is.na(data$tables), data$status, as.character(data$tables))
  bounds <- ifelse(!is.na(data$exact) & !data$exact, "bounds only", NA)
  parts <- Map(c, bounds, ifelse(data$status == "inconsistent", data$conflict, data$interval_method), data$note)
  shown <- shortened(shown, names(shown), 25)
  shown[[" "]] <- vapply(parts, function(each) paste(each[!is.na(each)], collapse = "; "), "")
  taken <- sum(vapply(names(shown)[-ncol(shown)], function(name) max(nchar(c(name, shown[[name]]))) + 1, 0))
  shortened(shown, " ", max(12, width - taken - max(nchar(row.names(shown)), 0) - 3))
}

print.scoreproof_tables <- function(x, ..., n = Inf, width = line_width()) {
  cat(counted(x, c("study", "studies"), as.data.frame(x)$status), "\n", sep = "")
  print_rows(format(x, width = width), n, ...)
  for (name in names(attr(x, "together"))) wrapped(paste0(name, ": ", attr(x, "together")[[name]]))
  wrapped(not_used(x))
  invisible(x)
}

summary.scoreproof_checks <- function(object, by = NULL, ...) {
  data <- as.data.frame(object)
  odd <- setdiff(by, names(data))
  if (length(odd)) stop(sprintf("by: no column is called '%s'", odd[1]), call. = FALSE)
  own <- function(name) data[[paste0(prefix_of(object), name)]]
  status <- factor(own("status"), STATUSES)
  groups <- if (length(by)) interaction(data[by], drop = TRUE, sep = ", ") else factor(rep("all", nrow(data)))
  kept <- list(
    rows = counted(object, c("row", "rows"), status),
    counts = table(groups, status, dnn = NULL),
    last_digit = sum(own("severity") == "last digit", na.rm = TRUE),
    conflicts = sort(table(own("conflict")), decreasing = TRUE),
    read_as = attr(object, "read_as")
  )
  structure(kept, class = "summary.scoreproof_checks")
}

print.summary.scoreproof_checks <- function(x, ...) {
  cat(x$rows, "\n", sep = "")
  if (nrow(x$counts) > 1) print(x$counts)
  if (x$last_digit) cat(sprintf("%d of the inconsistent rows by no more than one unit of the last digit\n", x$last_digit))
  if (length(x$conflicts)) wrapped(paste("clashing:", paste0(names(x$conflicts), " (", x$conflicts, ")", collapse = "; ")))
  print_reading(x$read_as)
  invisible(x)
}

print_reading <- function(read_as) {
  if (length(read_as)) print(data.frame(column = names(read_as), read_as = unname(read_as)), row.names = FALSE, right = FALSE)
}

summary.scoreproof_tables <- function(object, ...) {
  data <- as.data.frame(object)
  kept <- list(
    studies = counted(object, c("study", "studies"), data$status),
    one = sum(data$unique, na.rm = TRUE),
    several = sum(data$status == "consistent" & !(data$unique %in% TRUE)),
    contradictions = data.frame(study = attr(object, "labels"), data[c("conflict", "note")])[data$status == "inconsistent", ],
    methods = sort(table(data$interval_method), decreasing = TRUE),
    read_as = attr(object, "read_as")
  )
  structure(kept, class = "summary.scoreproof_tables")
}

print.summary.scoreproof_tables <- function(x, ...) {
  cat(x$studies, "\n", sep = "")
  cat(sprintf("%d with one table, %d with several\n", x$one, x$several))
  for (at in seq_len(nrow(x$contradictions))) {
    clash <- x$contradictions[at, ]
    told <- Filter(Negate(is.na), c(clash$conflict, clash$note))
    wrapped(paste0(clash$study, ": ", paste(told, collapse = "; ")), exdent = 2)
  }
  if (length(x$methods)) wrapped(paste("intervals by", paste0(names(x$methods), " (", x$methods, ")", collapse = "; ")), exdent = 2)
  print_reading(x$read_as)
  invisible(x)
}
