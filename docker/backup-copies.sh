#!/bin/sh
# Keeps $1 backups, and copies them to $2, a store as rclone names it, where that is not empty. It runs once the database's new
# file is whole: ledgers and media that are copied after it know all that it tells of. A step that fails is the last one.
set -eu
cd /backups
mkdir -p ledger media
cp -R /from/*/ledger/. ledger/
rclone copy --size-only --exclude '/coming/**' /data/media media
(cd /data/media && find . -path ./coming -prune -o -type f -print0) | (cd media && xargs -0 -r touch -c --)

ls -d amber-*Z | head -n "-$1" | xargs -r rm --
# What the archive has removed was not touched since: it goes with the last backup that may tell of it.
find media -type f ! -newer "$(ls -d amber-*Z | head -n 1)" -delete

[ -n "$2" ] || exit 0
# A volume that is not full may be a new one after the old one was lost: nothing is deleted in the store by it.
if [ "$(ls -d amber-*Z | wc -l)" -lt "$1" ]; then how=copy; else how=sync; fi
rclone "$how" --size-only /backups "$2"
