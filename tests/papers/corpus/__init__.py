"""Papers with known truth: a writer of documents whose every figure comes from drawn matrices.

Nothing here imports the package that is judged by it, except ``measure``.
"""
