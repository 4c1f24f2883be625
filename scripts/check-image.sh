#!/usr/bin/env bash
# Builds the image and checks the promises of the compose file: an unprivileged user, a read-only root, no test files.
set -euo pipefail
cd "$(dirname "$0")/.."

name="weft-check-$$"
data="$name-data"
cleanup() {
  docker logs "$name" 2>&1 | tail -20 || true
  docker rm --force "$name" >/dev/null 2>&1 || true
  docker volume rm "$data" >/dev/null 2>&1 || true
  [ -z "${made:-}" ] || rm -f "$made"
}
trap cleanup EXIT

for variable in JWT_SECRET SECRETS_KEY MONGO_PASSWORD NATS_PASSWORD QDRANT_API_KEY; do export "$variable=$(openssl rand -hex 32)"; done
[ -e .env ] || { cp .env.example .env && made=.env; }
docker compose config --quiet

docker build --tag weft:check .
docker run --rm --entrypoint sh weft:check -c '[ "$(id -u)" != 0 ] && [ ! -e node_modules/jest ] && [ ! -e node_modules/.bin/node ] && [ ! -e test ]'

docker run --detach --init --name "$name" --read-only --tmpfs /tmp:size=256m,mode=1777 --volume "$data:/data" \
  --cap-drop ALL --security-opt no-new-privileges --pids-limit 512 --publish 127.0.0.1:3000:3000 weft:check
for _ in $(seq 60); do curl -sf http://127.0.0.1:3000/health/ready && break; sleep 1; done
curl -sf http://127.0.0.1:3000/health/ready >/dev/null
docker exec "$name" sh -c '! touch /app/x 2>/dev/null'
docker exec "$name" weft backup --to /data/backup
docker stop -t 12 "$name" >/dev/null
[ "$(docker inspect --format '{{.State.ExitCode}}' "$name")" = 0 ]
