needs_command()

test_that("a single claim gives the verdict the command gives, with its proof", {
  found <- check_scores(c(acc = "0.9567", sens = "0.8500", spec = "0.9750"), p = 100, n = 200)
  alone <- command_json("check", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.8500", "spec=0.9750", "--json")
  expect_s3_class(found, "scoreproof_verdict")
  expect_identical(found$status, "inconsistent")
  expect_identical(found$sentence, alone$sentence)
  expect_identical(unlist(found$conflict), c("acc", "sens"))
  expect_equal(found$certificate, alone$certificate)
})

test_that("scores may come first or by name, as text, numbers, factors or a list", {
  ways <- list(
    check_scores(p = 38L, n = 262L, scores = list(acc = "0.9433", sens = factor("0.9211"), spec = NA)),
    check_scores(list(experiment = c(p = 38, n = 262), scores = c(acc = 0.9433, sens = 0.9211)), digits = 4),
    check_scores(c(acc = 0.9433, sens = 0.9211), p = 38, n = 262, digits = c(acc = 4, sens = 4)),
    check_scores("accuracy 0.9433, sensitivity 0.9211", p = 38, n = 262)
  )
  expect_identical(vapply(ways, function(each) each$status, ""), rep("consistent", 4))
  expect_identical(vapply(ways, function(each) each$count, 1L), rep(1L, 4))
  expect_identical(as.data.frame(ways[[1]])$witness, "TP 35, FP 14, FN 3, TN 248")
})

test_that("a number says how it was read, and digits are the way out", {
  loose <- check_scores(c(acc = 0.9), p = 38, n = 262)
  exact <- check_scores(c(acc = 0.9), p = 38, n = 262, digits = 4)
  expect_match(unlist(loose$notes), "given as the number 0.9")
  expect_lt(exact$count, loose$count)
  expect_length(exact$notes, 0)
  expect_error(check_scores(c(acc = 0.9433), p = 38, n = 262, digits = 2), "0.9433 has more than the stated 2 digits")
})

test_that("folds, ranges, yes and no and distances arrive as the command reads them", {
  folded <- check_scores(c(acc = "0.9433", sens = "0.9214"), p = 38, n = 262, folds = 5, stratified = TRUE, aggregate = "mean")
  expect_identical(folded$status, "consistent")
  expect_true(folded$claim$experiment$stratified)
  expect_length(folded$witness$parts, 5)
  ranged <- check_scores(c(acc = "0.9433"), p = c(30, 45), n = 100000, stratified = FALSE, folds = 2, eps = 1e-05)
  expect_identical(unlist(ranged$claim$experiment$p), c(30L, 45L))
  expect_identical(ranged$claim$experiment$n, 100000L)
  expect_false(ranged$claim$experiment$stratified)
  expect_identical(scoreproof:::option_of("folds", c(12, 9, 15)), c("--folds", "12,9,15"))
})

test_that("letters of any language pass both ways", {
  said <- "Genauigkeit \u00b1 \u201eso\u201c \u03ba \"x\" \\ \t"
  latin <- iconv("0.91 \u00b1 0.04", "UTF-8", "latin1")
  found <- check_scores(list(title = said, experiment = list(p = 97, n = 111, folds = 10), scores = c(acc = latin)))
  expect_identical(found$claim$title, said)
  expect_identical(found$claim$scores$acc, "0.91 \u00b1 0.04")
})

test_that("several claims are several verdicts, each with its proof", {
  claim <- function(acc) list(experiment = list(p = 38, n = 262), scores = c(acc = acc))
  found <- check_scores(list(claim("0.9433"), claim("0.9483")))
  expect_s3_class(found, "scoreproof_verdicts")
  expect_identical(as.data.frame(found)$status, c("consistent", "inconsistent"))
  expect_identical(verify_verdict(found[2:1]), c(TRUE, TRUE))
})

test_that("a data frame keeps its rows, their order and names, and gains five columns", {
  found <- check_scores(results)
  expect_s3_class(found, c("scoreproof_checks", "data.frame"), exact = TRUE)
  expect_identical(as.data.frame(found)[names(results)], results)
  expect_identical(found$status, c("consistent", "inconsistent", "inconsistent", "unreadable"))
  expect_identical(found$conflict, c(NA, "Acc", "Acc, Recall, Spec", NA))
  expect_identical(found$witness, c("TP 35, FP 14, FN 3, TN 248", NA, NA, NA))
  expect_match(found$note[4], "cannot read '9x.0 %' at character 2")
  turned <- check_scores(results[4:1, ], prefix = "sp_")
  expect_identical(turned$sp_status, rev(found$status))
  expect_identical(names(turned)[7:11], paste0("sp_", c("status", "conflict", "severity", "witness", "note")))
})

test_that("factors, missing cells, whole numbers and truth values are what they look like", {
  plain <- data.frame(p = c(38, 38), n = c(262, 262), acc = c("0.9433", NA), sens = c(NA, "0.9211"), folds = 5, stratified = TRUE)
  other <- transform(plain, p = as.integer(p), acc = factor(acc), stratified = factor(c("yes", "yes")), empty = NA)
  expect_identical(check_scores(other)$status, c("consistent", "consistent"))
  nothing <- check_scores(transform(plain, acc = NA_character_))
  expect_identical(nothing$status, c("unreadable", "consistent"))
  expect_match(nothing$note[1], "no score is given in this row")
  none <- check_scores(results[0, ])
  expect_identical(dim(none), c(0L, 11L))
})

test_that("a matrix of texts is the data frame it was made of", {
  rows <- data.frame(p = c("100", "100"), n = c("200", "200"), acc = c("0.9567", "0.9568"))
  expect_identical(check_scores(as.matrix(rows))$status, check_scores(rows)$status)
})

test_that("a tibble stays one", {
  skip_if_not_installed("tibble")
  found <- check_scores(tibble::as_tibble(results))
  expect_s3_class(found, "tbl_df")
  expect_output(print(found[2:3, ]), "2 rows: 2 inconsistent")
})

test_that("lost zeros are told where they can be seen, and digits restore them", {
  numbers <- data.frame(p = 38, n = 261, acc = c(0.9431, 0.95), sens = 0.9211)
  expect_warning(loose <- check_scores(numbers), "0.95 may have been printed as 0.9500.*digits = c\\(acc = 4\\)")
  expect_identical(loose$status, c("consistent", "consistent"))
  expect_silent(exact <- check_scores(numbers, digits = c(acc = 4, sens = 4)))
  expect_identical(exact$status, c("consistent", "inconsistent"))
  lost <- function(...) scoreproof:::warn_of_columns(numbers, attr(exact, "read_as"), ...)
  expect_silent(lost(digits = 4, eps = NULL))
  expect_silent(lost(digits = NULL, eps = "0.0001"))
  expect_warning(lost(digits = c(sens = 4), eps = NULL), "^acc: numbers have lost")
})

test_that("numbers that were computed in R are no false alarm", {
  set.seed(3)
  tp <- sample(0:37, 50, TRUE)
  tn <- sample(0:261, 50, TRUE)
  computed <- data.frame(p = 37, n = 261, acc = (tp + tn) / 298, sens = tp / 37, spec = tn / 261, bacc = (tp / 37 + tn / 261) / 2)
  found <- suppressWarnings(check_scores(computed))
  expect_identical(unique(found$status), "consistent")
  expect_identical(found$witness, sprintf("TP %d, FP %d, FN %d, TN %d", tp, 261L - tn, 37L - tp, tn))
})

test_that("names that read.csv changed are told", {
  path <- written(data.frame(p = 38, n = 262, acc = "0.9433", `LR+` = "17.2", check.names = FALSE))
  expect_warning(check_scores(utils::read.csv(path, colClasses = "character")), "not used: LR\\.; .*check.names = FALSE")
  kept <- check_scores(utils::read.csv(path, colClasses = "character", check.names = FALSE))
  expect_identical(attr(kept, "read_as")[["LR+"]], "positive likelihood ratio")
})

test_that("columns may be told and left out", {
  odd <- data.frame(p = 38, n = 262, Genauigkeit = "94.33", kernel = "rbf")
  found <- check_scores(odd, columns = c(Genauigkeit = "acc (%)", kernel = NA))
  expect_identical(found$status, "consistent")
  expect_identical(attr(found, "read_as")[["kernel"]], "left out")
})

test_that("a hundred claims fare in R as they do at the command line", {
  set.seed(21)
  p <- sample(5:60, 100, TRUE)
  n <- sample(5:90, 100, TRUE)
  tp <- floor(runif(100) * (p + 1))
  tn <- floor(runif(100) * (n + 1))
  moved <- sample(c(0, 0.003), 100, TRUE)
  claims <- data.frame(
    p = p, n = n, acc = sprintf("%.3f", pmin((tp + tn) / (p + n) + moved, 1)), sens = sprintf("%.1f %%", 100 * tp / p),
    spec = sprintf("%.4f", tn / n), f1 = sprintf("%.3f", 2 * tp / (2 * tp + n - tn + p - tp))
  )
  claims$f1[seq(1, 100, 3)] <- NA
  found <- check_scores(claims)
  # one by one, in the shape of the claim file
  whole <- lapply(seq_len(100), function(at) {
    scores <- as.list(claims[at, 3:6])
    list(experiment = as.list(claims[at, 1:2]), scores = scores[!is.na(scores)])
  })
  path <- written(jsonlite::toJSON(list(claims = whole), auto_unbox = TRUE), ".json")
  alone <- command_json("check", path, "--json")$verdicts
  expect_identical(found$status, vapply(alone, function(each) each$verdict, ""))
  expect_identical(found$conflict, vapply(alone, function(each) if (length(each$conflict)) paste(each$conflict, collapse = ", ") else NA_character_, ""))
  expect_gt(sum(found$status == "inconsistent"), 10)
  expect_gt(sum(found$status == "consistent"), 10)
  rows <- as.data.frame(check_scores(whole))
  expect_identical(rows$status, found$status)
  out <- tempfile(fileext = ".csv")
  command_json("batch", written(claims), "-o", out, "--json")
  file <- utils::read.csv(out, colClasses = "character", na.strings = "")
  for (name in c("status", "conflict", "severity", "witness", "note")) expect_identical(found[[name]], as.character(file[[name]]))
})
