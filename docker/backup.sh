#!/bin/sh
# The service `backup`: makes a backup each $1 seconds; $2 and $3 are for backup-copies.sh. It is healthy while /tmp/done is
# there: the last one is whole, and so are its copies.
while :; do
  # A process that was killed leaves its file half-written.
  rm -f /backups/*.part
  file="/backups/amber-$(date -u +%Y-%m-%dT%H-%M-%SZ)"
  if node dist/cli.js backup "$file" --copy "sh /backup-copies.sh '$2' '$3'"; then touch /tmp/done; else rm -f /tmp/done; fi
  sleep "$1"
done
