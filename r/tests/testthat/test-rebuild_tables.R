needs_command()

studies <- data.frame(
  study = c("Smith", "Jones", "Lee", "Kim", "Bad", "Loose"),
  TP = c(NA, 41, NA, 54, NA, NA), FP = c(NA, 0, NA, 5, NA, NA), FN = c(NA, 2, NA, 15, NA, NA), TN = c(NA, 7, NA, 9, NA, NA),
  total = c("265", NA, "300", NA, "x", NA), prevalence = c(NA, NA, "12.7%", NA, NA, NA),
  sens = c("0.86 (0.78-0.91)", "95% (84-99)", "0.87", "78.2%", "0.9", "0.92"),
  spec = c("0.90 (0.85-0.95)", "100% (59-100)", "0.90", "64.2%", "0.9", "0.88")
)

test_that("every study has its row, with one table, the ends of several, or the contradiction", {
  found <- rebuild_tables(studies)
  expect_s3_class(found, c("scoreproof_tables", "data.frame"), exact = TRUE)
  expect_identical(found$study, studies$study)
  expect_identical(found$status, c("consistent", "consistent", "consistent", "inconsistent", "unreadable", "undecided"))
  expect_identical(unlist(as.data.frame(found)[1, c("TP", "FP", "FN", "TN")], use.names = FALSE), c(101L, 14L, 17L, 133L))
  expect_identical(c(found$TP[3], found$FP_lower[3], found$FP_upper[3], found$tables[3]), c(NA, 25L, 27L, 3L))
  expect_identical(found$unique, c(TRUE, TRUE, FALSE, NA, NA, NA))
  expect_identical(found$exact[1:3], c(TRUE, TRUE, TRUE))
  expect_identical(found$interval_method[1], "clopper-pearson")
  expect_match(found$note[4], "the printed counts give sens 0.782609")
  expect_match(found$note[5], "expected a whole number")
  every <- all_tables(found)
  lee <- every[every$study == "Lee", ]
  expect_identical(lee$FP, c(27, 26, 25))
  expect_equal(lee$weight, rep(1 / 3, 3))
  expect_identical(unique(every$row), 1:3)
  expect_true(all(every$complete))
  expect_error(all_tables(found[1:2, ]), "with all its rows")
  expect_output(print(found), "6 studies: 3 consistent.*Lee +33 +25 to 27 +5 +235 to 237 +3")
  expect_output(print(found[2:3, ]), "2 studies: 2 consistent")
  expect_output(print(summary(found)), "2 with one table, 1 with several\nKim: sens; the printed counts")
})

test_that("one study may be given by itself, with what is known of it", {
  found <- rebuild_tables(c(sens = "0.92 (0.84-0.97)", spec = "0.88 (0.83-0.92)"), p = 87)
  expect_identical(found$tables, 109L)
  expect_identical(c(found$TP_lower, found$TP_upper), c(80L, 80L))
  stated <- rebuild_tables(c(sens = "0.92 (0.84-0.97)", spec = "0.88 (0.83-0.92)"), total = 296, ci = "wald")
  expect_identical(stated$status, "inconsistent")
  expect_identical(stated$tables, NA_integer_)
})

test_that("rows about the same patients share their class counts", {
  tests <- data.frame(paper = "Smith", test = c("A", "B"), total = 20, sens = c("0.667", "0.333"), spec = c("0.857", "0.643"))
  found <- rebuild_tables(tests, same = "paper")
  expect_identical(found$TP, c(4L, 2L))
  expect_output(print(found), "Smith: 6 positives and 14 negatives fit all 2 rows together; every other")
})

test_that("columns that name a study are kept as they were", {
  more <- cbind(studies[1:3, ], year = c(2019L, 2020L, 2021L), country = factor(c("A", "B", "A")), tables = c("x", "y", "z"))
  found <- as.data.frame(rebuild_tables(more))
  expect_identical(found$year, more$year)
  expect_identical(found$country, more$country)
  expect_identical(found$`tables (given)`, more$tables)
  expect_identical(found$tables, c(1L, 1L, 3L))
})

test_that("published studies fare in R as they do at the command line", {
  path <- file.path("..", "..", "..", "tests", "data", "published_studies.csv") # in the checkout
  if (!file.exists(path)) path <- system.file("extdata", "studies.csv", package = "scoreproof")
  found <- rebuild_tables(utils::read.csv(path, colClasses = "character", check.names = FALSE))
  alone <- command_json("tables", path, "--json")$studies
  expect_identical(nrow(found), length(alone))
  for (name in c("status", "interval_method", "used", "ignored", "conflict", "note")) {
    expect_identical(found[[name]], vapply(alone, function(each) as.character(or_na(each[[name]])), ""))
  }
  for (name in c("TP", "FP", "FN", "TN", "TP_lower", "TP_upper", "TN_lower", "TN_upper", "tables")) {
    expect_identical(found[[name]], vapply(alone, function(each) as.integer(or_na(each[[name]])), 1L))
  }
  expect_identical(found$unique, vapply(alone, function(each) or_na(each$unique) == "yes", NA))
})

test_that("what is no table of studies is refused in one sentence", {
  expect_error(rebuild_tables(1:3), "expected a data frame of studies")
  expect_error(rebuild_tables(studies[0, ]), "the data frame has no rows")
  expect_error(rebuild_tables(studies, same = "stdy"), "did you mean 'study'")
})
