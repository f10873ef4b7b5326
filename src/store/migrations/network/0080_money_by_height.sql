-- Changes of balances by height, for exports. Rows lie in the order of their blocks, so a block range index is enough, and tiny. It is made
-- in the same upgrade as the table (0075), which is still empty.
create index balance_change_height_idx on balance_change using brin (id) with (pages_per_range = 32);
