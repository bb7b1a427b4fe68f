# Values of R as JSON: text stays as it was printed, a number becomes the shortest text that means it.

# 0.9 is "0.9", 1/3 is "0.3333333333333333", 100000 is "100000".
number_text <- function(x) {
  text <- sprintf("%.15g", x)
  for (digits in 16:17) {
    other <- is.finite(x) & suppressWarnings(as.numeric(text)) != x
    text[other] <- sprintf("%.*g", digits, x[other])
  }
  whole <- is.finite(x) & x == round(x) & abs(x) < 2^53
  text[whole] <- sprintf("%.0f", x[whole])
  text
}

quoted <- function(text) {
  text <- enc2utf8(text)
  if (!all(validUTF8(text))) {
    stop("text is neither UTF-8 nor of a known encoding; read the file with its fileEncoding", call. = FALSE)
  }
  text <- gsub("\"", "\\\"", gsub("\\", "\\\\", text, fixed = TRUE), fixed = TRUE)
  for (control in unique(unlist(regmatches(text, gregexpr("[\001-\037]", text))))) {
    text <- gsub(control, sprintf("\\u%04x", utf8ToInt(control)), text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}

# Every cell of a column as JSON; a cell that is missing is null.
cells <- function(column) {
  if (is.factor(column) || (is.object(column) && !inherits(column, "AsIs"))) column <- as.character(column)
  missing <- is.na(column)
  if (is.logical(column)) {
    found <- tolower(as.character(column))
  } else if (is.numeric(column)) {
    found <- number_text(as.numeric(column))
    endless <- !missing & !is.finite(column)
    found[endless] <- quoted(found[endless])
  } else {
    found <- quoted(as.character(column))
  }
  found[missing] <- "null"
  found
}

# The rows of a data frame, a JSON object each; this is how the command is given a whole table at once.
json_lines <- function(data) {
  check_columns(data)
  keys <- quoted(names(data))
  columns <- Map(function(key, column) paste0(key, ": ", cells(column)), keys, as.list(data))
  paste0("{", do.call(paste, c(unname(columns), sep = ", ")), "}")
}

check_columns <- function(data) {
  names <- names(data)
  if (!length(names)) stop("the data frame has no columns", call. = FALSE)
  if (anyDuplicated(names)) {
    stop(sprintf("two columns are called '%s'; give each a name of its own", names[anyDuplicated(names)]), call. = FALSE)
  }
  if (anyNA(names) || any(!nzchar(names))) stop("a column has no name", call. = FALSE)
  simple <- vapply(data, function(column) is.atomic(column) && is.null(dim(column)) && !is.complex(column), NA)
  if (!all(simple)) {
    what <- "holds lists, matrices or the like; each cell has to be one text or number"
    stop(sprintf("column '%s' %s", names[!simple][1], what), call. = FALSE)
  }
}

# Lists, named vectors and data frames (a list of their rows) as JSON.  One value stands for itself: I() keeps it a list.
json_of <- function(value) {
  if (is.null(value)) return("null")
  if (!length(value)) return("{}")
  if (is.data.frame(value)) return(paste0("[", paste(json_lines(value), collapse = ", "), "]"))
  if (is.function(value) || is.environment(value) || is.language(value) || is.complex(value)) {
    stop("a claim holds text, numbers and lists of them", call. = FALSE)
  }
  parts <- if (is.list(value)) vapply(value, json_of, "") else cells(value)
  keys <- names(value)
  if (!is.null(keys)) {
    if (any(!nzchar(keys))) stop("some parts of the claim have names and some have none", call. = FALSE)
    return(paste0("{", paste0(quoted(keys), ": ", parts, collapse = ", "), "}"))
  }
  if (length(parts) == 1 && !is.list(value) && !inherits(value, "AsIs")) return(parts)
  paste0("[", paste(parts, collapse = ", "), "]")
}

# Numbers as the text that was printed, with so many digits after the point.
printed <- function(x, digits, name) {
  text <- formatC(x, digits = digits, format = "f")
  longer <- !is.na(x) & is.finite(x) & as.numeric(text) != x
  if (any(longer)) {
    told <- sprintf("%s: %s has more than the stated %d digits", name, number_text(x[longer][1]), as.integer(digits))
    stop(told, call. = FALSE)
  }
  text
}

check_digits <- function(digits) {
  if (is.null(digits)) return(invisible())
  if (!is.numeric(digits) || anyNA(digits) || any(digits != round(digits) | digits < 0 | digits > 30)) {
    stop("digits: expected whole numbers from 0 to 30, as in digits = 4 or digits = c(acc = 4, f1 = 2)", call. = FALSE)
  }
  if (is.null(names(digits)) && length(digits) != 1) {
    stop("digits: give one number for all columns, or names, as in digits = c(acc = 4, f1 = 2)", call. = FALSE)
  }
}

# How many digits after the point a number shows at least; NA for what is missing.
decimals_of <- function(x) {
  text <- number_text(x)
  found <- nchar(sub("^[^.]*\\.?", "", text))
  found[!is.finite(x) | grepl("e", text)] <- NA
  found
}
