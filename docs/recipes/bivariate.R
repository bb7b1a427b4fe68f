# The bivariate (Reitsma) summary of a review, and how much it depends on tables that are not known for sure.
#
#   scoreproof tables studies.csv --for metadta --all > candidates.csv
#   Rscript bivariate.R candidates.csv
#
# Each study has one or more candidate tables.  The summary is fitted for the least accurate table of every
# study, for the most accurate one, and for tables drawn with their weights; needs the package lme4.

suppressMessages(library(lme4))
arguments <- commandArgs(trailingOnly = TRUE)
candidates <- read.csv(arguments[1], stringsAsFactors = FALSE)
draws <- if (length(arguments) > 1) as.integer(arguments[2]) else 20
if (is.null(candidates$weight)) candidates$weight <- 1
candidates$both <- with(candidates, ifelse(tp + fn > 0, tp / (tp + fn), 0) + ifelse(tn + fp > 0, tn / (tn + fp), 0))

# one table of each study
chosen <- function(pick) do.call(rbind, lapply(split(candidates, candidates$studyid), pick))
lowest <- function(study) study[which.min(study$both), ]
highest <- function(study) study[which.max(study$both), ]
drawn <- function(study) study[sample.int(nrow(study), 1, prob = study$weight), ]

# logits of sensitivity and specificity, normal over studies, binomial within (Chu and Cole 2006)
summarised <- function(tables) {
  long <- with(tables, data.frame(
    study = rep(studyid, 2), right = c(tp, tn), wrong = c(fn, fp),
    sens = rep(c(1, 0), each = nrow(tables)), spec = rep(c(0, 1), each = nrow(tables))
  ))
  long <- long[long$right + long$wrong > 0, ]
  fit <- suppressMessages(suppressWarnings(glmer(
    cbind(right, wrong) ~ 0 + sens + spec + (0 + sens + spec | study), data = long, family = binomial,
    control = glmerControl(optimizer = "bobyqa")
  )))
  middle <- fixef(fit)
  error <- sqrt(diag(as.matrix(vcov(fit))))
  plogis(c(middle[1] + c(0, -1.96, 1.96) * error[1], middle[2] + c(0, -1.96, 1.96) * error[2]))
}

shown <- function(name, values) {
  cat(sprintf("%-8s %6.3f (%5.3f to %5.3f) %8.3f (%5.3f to %5.3f)\n", name,
    values[1], values[2], values[3], values[4], values[5], values[6]))
}

cat(sprintf("%d studies, %d of them with one table\n", length(unique(candidates$studyid)),
  sum(table(candidates$studyid) == 1)))
cat("tables   pooled sensitivity       pooled specificity\n")
shown("lowest", summarised(chosen(lowest)))
shown("highest", summarised(chosen(highest)))
if (any(table(candidates$studyid) > 1)) {
  set.seed(1)
  many <- sapply(seq_len(draws), function(draw) summarised(chosen(drawn)))
  cat(sprintf("drawn    %6.3f to %5.3f %17.3f to %5.3f   (%d draws)\n",
    min(many[1, ]), max(many[1, ]), min(many[4, ]), max(many[4, ]), draws))
}
