-- `blob_rollup` gets the `size` of the blob, and some tables indexes: lists whose page had to be looked for among everything that an owner
-- has are read from an index.

create index blob_namespace_signer_idx on blob (namespace_id, signer_id, id);     -- GET /v1/blob?namespaces=…&signers=…
create index blob_signer_size_idx on blob (signer_id, size, id);                  -- GET /v1/address/:hash/blobs?sort_by=size
alter table blob_rollup add column size integer;
update blob_rollup l set size = b.size from blob b where b.height = (l.blob_id >> 24)::integer and b.id = l.blob_id;
alter table blob_rollup alter column size set not null;
create index blob_rollup_size_idx on blob_rollup (rollup_id, size, blob_id);      -- GET /v1/rollup/:id/blobs?sort_by=size
create index tx_failed_id_idx on tx (id) where not success;                       -- GET /v1/address/:hash/txs?status=…, GET /v1/tx?msg_type=…&status=success
