#!/usr/bin/env bash
# Brings production up as docker/README.md has it, in a project of its own, and shows that it serves, rolls, restores and
# raises the alarm. COMPOSE_FILE may name further files, and STAND_IN=1 leaves out what only a real MongoDB can show. Takes ten
# minutes; its containers and volumes go at the end, the secrets stay.
set -euo pipefail
cd "$(dirname "$0")"
hook=secrets/monitoring/alert_webhook
rclone=secrets/backup/rclone.conf
[ ! -e .env ] && [ ! -e $hook ] && [ ! -e $rclone ] ||
  { echo "a trial is for a checkout without an installation: docker/.env, docker/$hook or docker/$rclone is there" >&2; exit 1; }
export COMPOSE_PROJECT_NAME=amber-trial COMPOSE_FILE="${COMPOSE_FILE:-compose.yaml}" COMPOSE_PROFILES=monitoring
work="$(mktemp -d)"
finish() {
  local code=$?
  [ "$code" = 0 ] || docker compose logs --no-color --tail 60 || true
  touch "$work/stop"
  docker rm -fv amber-trial-store > /dev/null 2>&1 || true
  timeout 180 docker compose down --volumes --remove-orphans || true
  rm -rf .env $hook $rclone "$work"
  docker image rm amber-{api,backup}:trial-{1,2,3} > /dev/null 2>&1 || true
  exit "$code"
}
trap finish EXIT
step() { printf '%s == %s\n' "$(date +%T)" "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
dc() { timeout 900 docker compose "$@"; }
amber() { dc exec -T api-1 node dist/cli.js "$@"; }
get() { curl --silent --insecure --max-time 20 --resolve amber.test:443:127.0.0.1 -o "${2:-/dev/null}" -w '%{http_code}\n' "https://amber.test$1" || true; }
# until_ok SECONDS COMMAND...
until_ok() {
  local end=$((SECONDS + $1)); shift
  until "$@"; do [ $SECONDS -lt $end ] || fail "not in time: $*"; sleep 1; done
}
answers() { [ "$(get "$1")" = "$2" ]; }
# Requests one after the other, until `settle` looks at what was answered.
load() {
  rm -f "$work/stop"; : > "$work/codes"
  for path in / /health '/amber/archives?page=1'; do
    while [ ! -e "$work/stop" ]; do get "$path"; sleep 0.1; done >> "$work/codes" &
  done
}
settle() {
  touch "$work/stop"
  wait
  sort "$work/codes" | uniq -c
  ! grep -qv '^200$' "$work/codes" || fail "requests were not answered during: $*"
}
ask() { dc exec -T api-1 node -e 'fetch(process.argv[1]).then((answer) => answer.text()).then(console.log)' "$1"; }
tells() { ask "$1" 2>/dev/null | grep -q "$2"; }
query() { printf 'http://prometheus:9090/api/v1/query?query=%s' "$1"; }

step "Start"
# An earlier trial leaves it behind where its engine was ended.
docker rm -fv amber-trial-store > /dev/null 2>&1 || true
./make-secrets.sh
echo http://api-1:4000/health > $hook
printf '%s\n' DOMAIN=amber.test 'TLS=tls internal' VERSION=trial-1 > .env
dc build
docker image inspect --format '{{.Size}} bytes of image' amber-api:trial-1
dc up -d --wait --wait-timeout 300

step "It serves over TLS, by processes that are not root and cannot write to their own files"
until_ok 60 answers /ready 200
get / "$work/page" > /dev/null
grep -qi '<!doctype html>' "$work/page"
curl --silent --insecure --head --resolve amber.test:443:127.0.0.1 https://amber.test/ | grep -qi '^strict-transport-security:'
answers /metrics 404 || fail "metrics are public"
for api in api-1 api-2; do
  [ "$(dc exec -T "$api" id -u)" = 1000 ] || fail "$api is not the user node"
  ! dc exec -T "$api" touch /app/dist/main.js 2>/dev/null || fail "$api can write to its own files"
done
dc up -d --wait

if [ -z "${STAND_IN:-}" ]; then
  step "Each of the database's members refuses strangers, and the archive's user other databases"
  for member in mongo-1 mongo-2 mongo-3; do
    ! dc exec -T "$member" mongosh --quiet amber --eval 'db.posts.findOne()' || fail "$member answers strangers"
  done
  uri="$(cat secrets/api/mongodb_uri)"
  dc exec -T mongo-1 mongosh --quiet "$uri" --eval 'db.posts.findOne()'
  ! dc exec -T mongo-1 mongosh --quiet "$uri" --eval 'db.getSiblingDB("other").a.insertOne({})' || fail "other databases are open"
  step "The first member is lost: it goes on"
  dc kill mongo-1
  until_ok 60 answers /ready 200
  dc up -d --wait mongo-1
fi

step "One process is killed under requests"
load
dc kill api-1
sleep 5
dc up -d --wait api-1
settle "the kill of a process"

step "Both processes roll to a new version under requests"
echo VERSION=trial-2 >> .env
dc build
load
dc up -d --no-deps --wait api-1
dc up -d --no-deps --wait api-2
settle "a roll"

step "A broken version: the other process serves, and the version before comes back"
echo 'FROM amber-api:trial-2
CMD ["node", "-e", "process.exit(1)"]' | docker build --quiet -t amber-api:trial-3 -
echo VERSION=trial-3 >> .env
load
! dc up -d --no-deps --wait --wait-timeout 60 api-1 || fail "a broken version counts as healthy"
echo VERSION=trial-2 >> .env
dc up -d --no-deps --wait api-1
settle "a broken version"
dc up -d --no-deps --wait backup

step "Prometheus reads both processes, and takes every expression of the dashboard"
until_ok 90 tells "$(query 'sum(up{job="amber"})')" '"2"\]'
tells 'http://prometheus:9090/api/v1/rules' '"health":"ok"'
! tells 'http://prometheus:9090/api/v1/rules' '"health":"err"' || fail "a rule cannot be evaluated"
dc exec -T api-1 node -e '
  const text = require("node:fs").readFileSync(0, "utf8");
  (async () => {
    for (const { title, targets } of JSON.parse(text).panels)
      for (const { expr } of targets) {
        const answer = await fetch("http://prometheus:9090/api/v1/query?query=" + encodeURIComponent(expr));
        const { status, data, error } = await answer.json();
        if (status !== "success") throw new Error(`${title}: ${error}`);
        console.log(`${data.result.length} series of ${title}: ${expr}`);
      }
  })();' < grafana/amber.json

step "A store that is not known is seen; once it is, two backups are kept, in the volume and in it"
newest() { dc exec -T backup sh -c 'ls -d /backups/amber-*Z | tail -n 1'; }
has_newer() { [ "$(newest)" != "$1" ]; }
has_failed() { ! dc exec -T backup test -e /tmp/done; }
in_volume() { dc exec -T backup sh -c 'cd /backups && find . -type f -printf "%P\n" | sort'; }
is_in_store() { [ "$(dc exec -T backup rclone lsf -R --files-only store:amber | sort)" = "$(in_volume)" ]; }
back_up() {
  local before
  before="$(newest)"
  sleep 1
  dc "$@" backup
  until_ok 60 has_newer "$before"
}
printf '%s\n' BACKUP_KEEP=2 BACKUP_STORE=store:amber >> .env
first="$(newest)"
back_up up -d --no-deps
until_ok 60 has_failed
printf '%s\n' '[store]' type=s3 provider=Other endpoint=http://amber-trial-store:9000 access_key_id=trial \
  secret_access_key=trial-secret > $rclone
chmod 644 $rclone
dc run -d --name amber-trial-store --no-deps backup rclone serve s3 --addr :9000 --auth-key trial,trial-secret /tmp
back_up restart
until_ok 60 is_in_store
[ "$(in_volume | grep -c '^amber-')" = 2 ] && ! in_volume | grep -q "${first#/backups/}" || fail "an older backup is still there"

step "A post is saved, a backup made, another post removed, the database and all backups on the machine lost and restored"
post() { printf '{"id":"%s","content":"A ferry called %s","author":"A","authorUsername":"a","timestamp":"2026-11-20T18:42:00.000Z","url":"https://x.com/a/status/%s"}\n' "$1" "$1" "$1"; }
{ post 1000000001; post 1000000002; } | dc exec -T api-1 sh -c 'cat > /tmp/posts.ndjson && node dist/cli.js import /tmp/posts.ndjson'
until_ok 30 answers /amber/archives/1000000002 200
back_up restart
until_ok 60 is_in_store
file="$(newest)"
amber remove 1000000002 --yes
answers /amber/archives/1000000002 410 || fail "what is removed is still there"
dc stop proxy api-1 api-2 backup
dc run --rm --no-deps -T backup sh -c 'rm -r /backups/*'
dc run --rm --no-deps -T backup rclone copy --size-only store:amber /backups
dc run --rm --no-deps -T backup sh -c 'mkdir -p /backups/ledger && cp -Ru /from/*/ledger/. /backups/ledger/'
dc exec -T mongo-1 mongosh --quiet -u root -p "$(cat secrets/mongo/root_password)" admin \
  --eval 'db.getSiblingDB("amber").dropDatabase()'
dc run --rm -T mongo-set
dc run --rm --no-deps -T -e DATA_DIR=/backups backup node dist/cli.js restore "$file"
dc up -d --wait --wait-timeout 300
dc up -d --no-deps --force-recreate --wait proxy
until_ok 60 answers /ready 200
answers /amber/archives/1000000001 200 || fail "what was kept is not back"
answers /amber/archives/1000000002 410 || fail "what was removed came back"
amber check

step "The database is lost: the alarm rings, and all is well once it is back"
dc kill mongo-1 mongo-2
until_ok 300 tells 'http://alertmanager:9093/api/v2/alerts' '"alertname":"Away"'
dc up -d --wait mongo-1 mongo-2
until_ok 60 answers /ready 200

step "It stops when asked"
dc stop api-2
[ "$(docker inspect --format '{{.State.ExitCode}}' "$(dc ps -aq api-2)")" = 0 ] || fail "api-2 did not stop by itself"
step "All of it was seen"
