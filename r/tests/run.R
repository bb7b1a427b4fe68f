# The tests against the package as it is installed, two files at a time; `make r` calls this in tests/testthat.
options(Ncpus = 2)
if (!scoreproof::has_scoreproof()) stop("the command is not where SCOREPROOF says")
testthat::test_dir(".", package = "scoreproof", load_package = "installed", reporter = "summary")
