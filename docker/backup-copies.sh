#!/bin/sh
# Keeps $1 backups, and copies them to $2, a store as rclone names it, where that is not empty. It runs once the database's new
# file is whole: ledgers and media that are copied after it know all that it tells of. A step that fails is the last one.
set -eu
cd /backups
mkdir -p ledger media
cp -R /from/*/ledger/. ledger/
rclone copy --size-only --exclude '/coming/**' /data/media media
(cd /data/media && find . -path ./coming -prune -o -type f -print0) | (cd media && xargs -0 -r touch -c --)

# What goes is written down first: the store deletes it by name, and nothing else. So a volume that lost files takes none from it.
{
  ls -d amber-*Z | head -n "-$1"
  # What the archive has removed was not touched since: it goes with the last backup that may tell of it.
  find media -type f ! -newer "$(ls -d amber-*Z | tail -n "$1" | head -n 1)"
} > /tmp/going
cat /tmp/going >> .deleted
xargs -r rm -- < /tmp/going

[ -n "$2" ] || exec rm .deleted
rclone copy --size-only --exclude /.deleted /backups "$2"
# A file that is there again stays in the store.
while read -r name; do [ -e "$name" ] || echo "$name"; done < .deleted > /tmp/deleted
[ ! -s /tmp/deleted ] || rclone delete --files-from-raw /tmp/deleted "$2"
rm .deleted
echo "copied to $2"
