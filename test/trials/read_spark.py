# Reads Iceberg tables with Spark in local cluster mode: two workers, each a process of its own. Arguments: folder of the tables, library of Iceberg for
# Spark, and the expected values as JSON.
import json, os, sys
from pyspark.sql import SparkSession

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
place, library, expected = os.path.abspath(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
warehouse, namespace = os.path.split(place)
spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.jars", library)
    .config("spark.sql.catalog.local", "org.apache.iceberg.spark.SparkCatalog")
    .config("spark.sql.catalog.local.type", "hadoop")
    .config("spark.sql.catalog.local.warehouse", warehouse)
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")

def same(what, question, wanted):
    found = spark.sql(question).collect()[0][0]
    if str(found) != str(wanted):
        raise SystemExit(f"{what}: {found}, expected {wanted}")
    print(f"  Spark {what}: {found}")

same("blocks", f"select count(*) from local.{namespace}.blocks", expected["blocks"])
same("bytes of blobs", f"select sum(size) from local.{namespace}.blobs", expected["bytes"])
same("fees", f"select sum(fee) from local.{namespace}.txs", expected["fees"])
same("validators", f"select count(*) from local.{namespace}.validators", expected["validators"])
same("signers that are accounts", f"""
    select count(distinct b.signer) from local.{namespace}.blobs b join local.{namespace}.accounts a on a.address = b.signer""",
    spark.sql(f"select count(distinct signer) from local.{namespace}.blobs").collect()[0][0])
spark.stop()
