-- One more index of `tx_hash`, by id. Lists of modules (IBC, Hyperlane, signals, balance changes …) show the hash of a tx that they know by its id; where `tx`
-- is partitioned they find it here, because through the partitioned table PostgreSQL would open every partition.

create unique index tx_hash_id_idx on tx_hash (id);  -- hash of a tx that is known by its id
