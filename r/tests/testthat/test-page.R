test_that("the page on R shows what R shows", {
  needs_command()
  page <- file.path("..", "..", "..", "docs", "tasks", "r.md")
  skip_if_not(file.exists(page), "the page is in the checkout only")
  skip_if_not_installed("lme4")
  lines <- readLines(page, encoding = "UTF-8")
  inside <- cumsum(grepl("^```", lines)) %% 2 == 1
  language <- ave(ifelse(grepl("^```", lines), lines, ""), cumsum(grepl("^```", lines)), FUN = function(part) part[1])
  shown <- lines[inside & language == "```r" & !grepl("^```", lines)]
  code <- sub("^[>+] ?", "", shown[grepl("^[>+]( |$)", shown)])
  session <- tempfile(fileext = ".R")
  writeLines(code, session, useBytes = TRUE)
  run <- system2(file.path(R.home("bin"), "R"), c("--vanilla", "--quiet"), stdin = session, stdout = TRUE, stderr = TRUE)
  tidy <- function(text) trimws(text[!text %in% c(">", "> ", "")], "right")
  expect_gt(length(code), 30)
  expect_identical(tidy(run), tidy(shown))
})
