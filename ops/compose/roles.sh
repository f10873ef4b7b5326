#!/bin/sh
# Runs once, when the volume of PostgreSQL is empty: the roles of docs/production.md.
set -eu
psql -v ON_ERROR_STOP=1 -v index_password="$INDEX_PASSWORD" -v api_password="$API_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role astrolabe_index login password :'index_password';
create role astrolabe_api login password :'api_password';
create schema astrolabe authorization astrolabe_index;
grant usage on schema astrolabe to astrolabe_api;
do $$ begin execute format('grant create on database %I to astrolabe_index', current_database()); end $$;
alter default privileges for role astrolabe_index grant usage on schemas to astrolabe_api;
alter default privileges for role astrolabe_index grant select on tables to astrolabe_api;
alter default privileges for role astrolabe_index in schema astrolabe grant insert, update, delete on tables to astrolabe_api;
alter default privileges for role astrolabe_index in schema astrolabe grant usage on sequences to astrolabe_api;
SQL
