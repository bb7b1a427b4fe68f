"""The datasets that are known by name."""

from scoreproof.reading.datasets.entry import Counts, Dataset, plain
from scoreproof.reading.datasets.registry import dataset, known_datasets, meant, unknown
from scoreproof.reading.datasets.sources import using_data

__all__ = ["Counts", "Dataset", "dataset", "known_datasets", "meant", "plain", "unknown", "using_data"]
