#!/bin/sh
# The namespace, and the search attributes that an operator finds deliveries by. May be run again.
set -eu
namespace=${TEMPORAL_NAMESPACE:-default}
until temporal operator cluster health >/dev/null 2>&1; do sleep 1; done
temporal operator namespace describe -n "$namespace" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$namespace" --retention "${TEMPORAL_RETENTION:-168h}"
until temporal operator search-attribute create -n "$namespace" \
  --name ClientId --type Keyword --name WebhookId --type Keyword \
  --name EventName --type Keyword --name DeliveryStatus --type Keyword; do sleep 1; done
