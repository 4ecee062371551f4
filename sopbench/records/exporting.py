"""Tables as files, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.records.quiet_duckdb import connected

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd  # type: ignore[import-untyped]


def export_table(frame: pd.DataFrame, file: Path) -> None:
    """Write a frame as CSV or Parquet, by the name of the file."""
    if file.suffix == ".csv":
        frame.to_csv(file, index=False)
        return
    with connected() as connection:
        connection.execute("set preserve_insertion_order = true")
        words = [name for name in frame.columns if str(frame[name].dtype) == "category"]
        connection.register("frame", frame.astype(dict.fromkeys(words, "str")))
        place = str(file).replace("'", "''")
        connection.execute(f"copy frame to '{place}' (format parquet, compression zstd)")
