"""Claims read and decided a second time, by trying everything; nothing here uses the package."""
