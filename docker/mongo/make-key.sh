#!/bin/sh
# The key by which the members of the set know each other: made once, read by mongod alone.
set -eu
if [ ! -s /key/file ]; then
  head -c 741 /dev/urandom | base64 -w 0 > /key/draft
  mv /key/draft /key/file
fi
chown mongodb:mongodb /key/file
chmod 400 /key/file
