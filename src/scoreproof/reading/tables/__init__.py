"""Tables as people have them: text or file, grid of cells, columns with meanings, claims.

grid      text -> cells: CSV, spreadsheets, Markdown, LaTeX, HTML, plain columns
heading   cells -> headers and rows: headings of several rows, scores down the side
columns   headers -> what each column says
claims    one row -> its claim
files     files of any length, a row at a time
"""
