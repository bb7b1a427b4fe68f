# The command: where it is, how it is called, and what goes wrong, in R's words.

HOW_TO_FIND <- paste(
  "install the Python package scoreproof (in its checkout: make demo, or pip install .), and say where the command is with",
  "options(scoreproof.command = \"/path/to/scoreproof\") or the environment variable SCOREPROOF"
)

scoreproof_command <- function(required = TRUE) {
  said <- getOption("scoreproof.command", Sys.getenv("SCOREPROOF"))
  if (!is.character(said) || anyNA(said)) stop("options(scoreproof.command) has to be text", call. = FALSE)
  said <- path.expand(said[nzchar(said)])
  if (length(said) == 1 && !file.exists(said)) said <- strsplit(trimws(said), "[[:space:]]+")[[1]]
  wanted <- if (length(said)) said else "scoreproof"
  program <- Sys.which(wanted[1])
  if (nzchar(program)) return(c(unname(program), wanted[-1]))
  if (!required) return(character())
  what <- if (length(said)) sprintf("there is no program '%s'", said[1]) else "the command 'scoreproof' was not found"
  stop(what, "; ", HOW_TO_FIND, call. = FALSE)
}

has_scoreproof <- function() length(scoreproof_command(required = FALSE)) > 0

# What the command prints, as lines of `text`, and the `rows` it writes.  The arguments INPUT and OUTPUT stand for the
# file with what it is given (which is its standard input as well) and the file that the rows go to.
ask <- function(arguments, input = "", ending = "txt") {
  force(input)
  command <- scoreproof_command()
  folder <- tempfile("scoreproof-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  place <- function(name) file.path(folder, name)
  given <- place(paste0("data frame.", ending))
  write_text(input, given)
  arguments[arguments == "INPUT"] <- given
  arguments[arguments == "OUTPUT"] <- place("rows.jsonl")
  # the same letters on every system, whatever its locale
  before <- Sys.getenv("PYTHONUTF8", NA)
  Sys.setenv(PYTHONUTF8 = "1")
  on.exit(if (is.na(before)) Sys.unsetenv("PYTHONUTF8") else Sys.setenv(PYTHONUTF8 = before), add = TRUE)
  code <- suppressWarnings(system2(
    command[1], shQuote(c(command[-1], arguments)),
    stdin = given, stdout = place("answer"), stderr = place("complaint")
  ))
  answer <- read_text(place("answer"))
  if (!code %in% c(0, 1, 3)) refuse(code, answer, read_text(place("complaint")), command)
  if (!startsWith(answer[1], "{")) {
    stop("'", command[1], "' did not answer as scoreproof does; ", HOW_TO_FIND, call. = FALSE)
  }
  list(text = answer, rows = read_text(place("rows.jsonl")))
}

write_text <- function(text, path) {
  to <- file(path, "wb")
  on.exit(close(to))
  writeLines(enc2utf8(text), to, useBytes = TRUE)
}

read_text <- function(path) {
  if (!file.exists(path)) return(character())
  found <- readLines(path, warn = FALSE, encoding = "UTF-8")
  if (length(found)) found else ""
}

from_json <- function(text) fromJSON(paste(text, collapse = "\n"), simplifyVector = FALSE, bigint_as_char = TRUE)

refuse <- function(code, answer, complaint, command) {
  told <- tryCatch(from_json(answer)$error$message, error = function(error) NULL)
  if (is.null(told)) {
    last <- sub("^scoreproof: ", "", utils::tail(complaint[nzchar(complaint)], 1))
    told <- sprintf("'%s' ended with code %d%s", command[1], code, if (length(last)) paste0(": ", last) else "")
    if (code %in% c(126, 127)) told <- paste0(told, "; ", HOW_TO_FIND)
  }
  stop(in_r(told), call. = FALSE)
}

# A sentence of the command in the words of this package.
in_r <- function(text) {
  text[!is.na(text)] <- translated(text[!is.na(text)])
  text
}

translated <- function(text) {
  text <- sub("^command line: ", "", text)
  text <- sub(" \\(see scoreproof [a-z]+ --help\\)", "", text)
  text <- gsub("No such option ('[^']*')\\.?", "there is no argument \\1", text)
  text <- gsub("--columns \"([^\"=]*)=([^\"]*)\"", "columns = c(\"\\1\" = \"\\2\")", text)
  text <- gsub("--prefix ([[:alnum:]_]+)", "prefix = \"\\1\"", text)
  text <- gsub("decimals=\\{'([^']*)': ([0-9]+)\\}", "digits = c(\"\\1\" = \\2)", text)
  text <- gsub("--decimals", "digits", text)
  found <- gregexpr("--[a-z][a-z-]*", text)
  regmatches(text, found) <- lapply(regmatches(text, found), function(names) gsub("-", "_", sub("^--", "", names)))
  text
}

# Named arguments as options of the command; whole numbers, ranges and lists of sizes as it reads them.
options_of <- function(...) {
  given <- list(...)
  if (!length(given)) return(character())
  names <- names(given)
  if (is.null(names) || any(!nzchar(names))) {
    stop("arguments after the first need their names, as in p = 38, n = 262", call. = FALSE)
  }
  ours <- intersect(names, c("json", "csv", "output", "resume", "restart", "for", "all", "by", "list"))
  if (length(ours)) stop(sprintf("there is no argument '%s' in R", ours[1]), call. = FALSE)
  unlist(Map(option_of, names, given), use.names = FALSE)
}

option_of <- function(name, value) {
  option <- paste0("--", gsub("[_.]", "-", name))
  if (is.null(value) || (length(value) == 1 && is.na(value))) return(character())
  if (is.factor(value)) value <- as.character(value)
  if (isTRUE(value)) return(option)
  if (identical(value, FALSE)) return(sub("^--", "--not-", option))
  if (!is.character(value) && !is.numeric(value) || !length(value) || anyNA(value)) {
    stop(sprintf("%s: expected a number or text without missing values", name), call. = FALSE)
  }
  counts <- c("p", "n", "total")
  if (is.numeric(value)) value <- number_text(if (name %in% counts) range(value) else value)
  if (length(value) == 2 && name %in% counts) value <- paste(unique(value), collapse = "-")
  if (length(value) > 1 && !name %in% c("given", "from")) value <- paste(value, collapse = ",")
  as.vector(rbind(option, value))
}
