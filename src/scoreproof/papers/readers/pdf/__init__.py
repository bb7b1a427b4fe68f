"""PDFs: letters with their places -> words and lines -> tables and paragraphs.

letters     a page's letters and rules, turned so that most of the text runs from left to right
lines       letters -> words -> lines; raised and lowered letters join the word they stand at
regions     which rules belong to one table, and tables without rules
grid        a table whose cells are all ruled: what no rule parts is one cell
columns     a table with few rules or none: columns by the gaps that run through its rows
headings    the lines above the first row: headings over several columns
pages       a page in its reading order: tables, captions, paragraphs
reader      all pages; a table that goes on from one page to the next
"""
