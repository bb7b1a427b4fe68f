"""Documents of any format, as tables and passages.

door        files, folders and uploads -> documents, each read in a process that can be ended
process     the parent's and the child's side of that process
kinds       which reader a document needs, by the end of its name and by its first bytes
limits      what a document may cost, and how one is refused
draft       a document while it is read: captions and notes find their tables
words       the text of cells and passages: blanks, ligatures, footnote marks
tree        HTML and JATS;  tables_of_trees, their tables
tex, tex_source, tex_words    LaTeX
plain, docx, notebooks, sheets, pdf/    the other formats
"""
