-- Tells a replica that is behind from a chain that rolled back: both show a lower height, only the second a higher number.
alter table head add column commit_number bigint not null default 1;
comment on column head.commit_number is 'grows with every commit that moves or takes back blocks or changes the registry; says nothing about the chain, and differs between two indexes of it';
