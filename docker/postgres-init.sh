#!/bin/sh
# Run once by the postgres image, on an empty data volume: login roles and Temporal's databases.
# Tables, and what app and system may do with them, are the migrations' business.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  -v app_password="$APP_PASSWORD" -v system_password="$SYSTEM_PASSWORD" -v temporal_password="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role app login nosuperuser nobypassrls password :'app_password';
create role system login nosuperuser nobypassrls password :'system_password';
create role temporal login password :'temporal_password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
