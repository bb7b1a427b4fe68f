library(testthat)
library(scoreproof)
test_check("scoreproof")
