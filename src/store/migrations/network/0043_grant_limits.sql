-- What is left of the limits of authorizations and fee allowances.
alter table authz_grant add column remaining jsonb;  -- null: no limit, ended, or granted before this column was there
alter table proposal_grant add column remaining jsonb;
