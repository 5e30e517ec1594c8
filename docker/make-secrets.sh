#!/bin/sh
# Makes the secrets that every installation needs, once; what is there already stays. Containers read them by their own users,
# so the files are readable and the folder around them is not. Run again after a secret was added or copied, it mends the modes.
set -eu
cd "$(dirname "$0")"
umask 022
mkdir -p secrets/api secrets/backup secrets/mongo secrets/monitoring
chmod 700 secrets
random() { head -c 48 /dev/urandom | base64 -w 0 | tr '+/' '-_'; }
keep() { [ -s "$1" ] || printf '%s\n' "$2" > "$1"; }
keep secrets/mongo/root_password "$(random)"
keep secrets/mongo/archive_password "$(random)"
keep secrets/monitoring/grafana_password "$(random)"
keep secrets/api/audit_key "$(random)"
keep secrets/api/jwt_secret "$(random)"
keep secrets/api/mongodb_uri \
  "mongodb://amber:$(cat secrets/mongo/archive_password)@mongo-1,mongo-2,mongo-3/amber?replicaSet=rs0&authSource=admin"
chmod 755 secrets/*
chmod 644 secrets/*/*
# A strict umask of the checkout would keep services from their own files.
chmod a+rX mongo search grafana grafana/provisioning grafana/provisioning/*
chmod a+r Caddyfile mongo/* search/* *.sh *.yml grafana/*.json grafana/provisioning/*/*
