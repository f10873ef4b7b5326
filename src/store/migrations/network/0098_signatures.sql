-- Written by the indexer, in the commit of the block, and filled for older blocks; recomputed by `audit`. Read by the API.
-- Signatures by hour and day: how many blocks of the bucket hold the signature of each validator. One row for all validators, because nearly all
-- of them sign every block. An hour or day that began before this table was there has no row until it is filled: its blocks are read instead.
create table signature_bucket (
  frame  smallint not null,
  time   timestamptz not null,
  -- place i: blocks with the signature of validator i; validators beyond the end have none
  signed integer[] not null,
  primary key (frame, time)
);
