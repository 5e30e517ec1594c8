#!/bin/sh
# Makes what the search nodes of compose.yaml need, once; what is there already stays: an authority, a certificate that all
# nodes share, and the password of the archive's account. The authority's own key is thrown away: to replace the certificate,
# delete secrets/search and secrets/api/search_ca.pem, run this again, and restart nodes and servers.
set -eu
cd "$(dirname "$0")/.."
secrets=${1:-secrets}
days=${2:-3650}
umask 022
mkdir -p "$secrets/search" "$secrets/api"
chmod 700 "$secrets"
if [ ! -s "$secrets/search/node.pem" ]; then
  made=$(mktemp -d)
  trap 'rm -rf "$made"' EXIT
  names="DNS:search-1,DNS:search-2,DNS:search-3,DNS:localhost"
  openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=amber-search \
    -keyout "$made/ca.key" -out "$secrets/search/ca.pem" 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=node -keyout "$secrets/search/node.key" -out "$made/node.csr" 2>/dev/null
  printf 'subjectAltName=%s\n' "$names" > "$made/names"
  openssl x509 -req -in "$made/node.csr" -CA "$secrets/search/ca.pem" -CAkey "$made/ca.key" -CAserial "$made/serial" -CAcreateserial \
    -days "$days" -extfile "$made/names" -out "$secrets/search/node.pem" 2>/dev/null
fi
[ -s "$secrets/api/search_ca.pem" ] || cp "$secrets/search/ca.pem" "$secrets/api/search_ca.pem"
[ -s "$secrets/api/search_password" ] || head -c 36 /dev/urandom | base64 -w 0 | tr '+/' '-_' > "$secrets/api/search_password"
cp "$secrets/api/search_password" "$secrets/search/password"
chmod 755 "$secrets"/*
chmod 644 "$secrets"/*/*
