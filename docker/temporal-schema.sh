#!/bin/sh
# Temporal's own tables, in its own two databases. May be run again: it applies only what is missing.
set -eu
export SQL_PASSWORD="$POSTGRES_PWD"
for database in temporal temporal_visibility; do
  folder=$database
  [ "$database" = temporal_visibility ] && folder=visibility
  tool="temporal-sql-tool --plugin postgres12 --ep $POSTGRES_SEEDS --port ${DB_PORT:-5432} --user $POSTGRES_USER --db $database"
  $tool setup-schema -v 0.0
  $tool update-schema -d "${SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12/$folder/versioned"
done
