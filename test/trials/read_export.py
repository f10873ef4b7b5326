# Reads an export with the tools of analysts and compares counts and sums. Arguments: folder of Iceberg tables, Parquet file with 3,000 blobs of
# 1.9 MB, and the expected values as JSON.
import importlib, json, pathlib, sys
import duckdb, pandas, polars, pyarrow.compute, pyarrow.parquet
from pyiceberg.table import StaticTable

place, large, expected = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])

def same(what, found, wanted):
    if str(found) != str(wanted):
        raise SystemExit(f"{what}: {found}, expected {wanted}")
    print(f"  {what}: {found}")

same("polars", polars.read_parquet(large)["size"].sum(), 5_700_000_000)
same("pandas", pandas.read_parquet(large)["size"].sum(), 5_700_000_000)
same("pyarrow", pyarrow.compute.sum(pyarrow.parquet.read_table(large)["size"]), 5_700_000_000)
same("DuckDB", duckdb.sql(f"select sum(size) from '{large}'").fetchall()[0][0], 5_700_000_000)

def table(name):
    folder = f"{place}/{name}/metadata"
    version = open(f"{folder}/version-hint.text").read()
    return StaticTable.from_metadata(f"{folder}/v{version}.metadata.json")

same("pyiceberg blocks", table("blocks").scan().to_arrow().num_rows, expected["blocks"])
if "blobs" in expected:
    blobs = table("blobs").scan().to_arrow()
    same("pyiceberg blobs", blobs.num_rows, expected["blobs"])
    same("pyiceberg bytes of blobs", pyarrow.compute.sum(blobs["size"]), expected["bytes"])
    same("pyiceberg validators", table("validators").scan().to_arrow().num_rows, expected["validators"])
    same("pyiceberg fees", pyarrow.compute.sum(table("txs").scan().to_arrow()["fee"]), expected["fees"])
    same("pyiceberg documents", table("blobs").schema().find_field("size").doc, "bytes of the blob")

connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
try:
    for name in ("avro", "iceberg"):
        package = importlib.import_module(f"duckdb_extension_{name}")
        [file] = pathlib.Path(package.__file__).parent.glob(f"extensions/*/{name}.duckdb_extension")
        connection.execute(f"load '{file}'")
except Exception as error:
    print(f"  skipped: the extension iceberg of DuckDB cannot be loaded ({error})")
else:
    ask = lambda question: connection.execute(question).fetchall()[0][0]
    same("DuckDB iceberg blocks", ask(f"select count(*) from iceberg_scan('{place}/blocks')"), expected["blocks"])
    if "blobs" in expected:
        same("DuckDB iceberg bytes of blobs", ask(f"select sum(size) from iceberg_scan('{place}/blobs')"), expected["bytes"])
        same("DuckDB iceberg fees", ask(f"select sum(fee) from iceberg_scan('{place}/txs')"), expected["fees"])
