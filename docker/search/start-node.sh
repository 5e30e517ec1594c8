#!/bin/bash
# Gives a search node the account of the archive and its role, which the security plugin reads when the cluster starts for the
# first time, then runs the command that follows.
set -euo pipefail
cd "${OPENSEARCH_HOME:-/usr/share/opensearch}"
security=config/opensearch-security
hash=$(bash plugins/opensearch-security/tools/hash.sh -p "$(cat config/secrets/password)" 2>/dev/null | tail -n 1)
cat > "$security/internal_users.yml" <<USERS
_meta: { type: internalusers, config_version: 2 }
amber: { hash: "$hash" }
USERS
cat > "$security/roles_mapping.yml" <<MAPPING
_meta: { type: rolesmapping, config_version: 2 }
amber: { users: [amber] }
MAPPING
cp "${ROLES:-/search/roles.yml}" "$security/roles.yml"
exec "$@"
