#!/bin/sh
# The service `backup`: makes a backup each $1 seconds and keeps the last $2. The database comes first: ledgers and media that
# are copied after it know all that it tells of.
while :; do
  if node dist/cli.js backup "/backups/amber-$(date -u +%Y-%m-%dT%H-%M-%SZ)"; then
    mkdir -p /backups/ledger /backups/media
    cp -Ru /from/*/ledger/. /backups/ledger/
    for folder in /data/media/*; do
      # What is still being written is no medium yet.
      case "$folder" in */coming | */\*) ;; *) cp -Run "$folder" /backups/media/ ;; esac
    done
    ls -d /backups/amber-*Z | head -n "-$2" | xargs -r rm --
  fi
  sleep "$1"
done
