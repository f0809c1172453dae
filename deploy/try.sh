#!/bin/sh
# Tests the files of this folder, on Debian and as root: sh deploy/try.sh [image]
# Needs: apt-get install caddy nginx openssl systemd; for the image also buildah and mmdebstrap (it uses no registry:
# the base image is built from Debian's packages).
set -eu
cd "$(dirname "$0")"
place=$(mktemp --directory)
trap 'rm -rf "$place"' EXIT

echo '== systemd: the unit is understood, and exposes little (0 is nothing, 10 all)'
# A stand-in for the program, to test only the unit.
sed 's|^ExecStart=.*|ExecStart=/bin/true|; s|^WorkingDirectory=.*|WorkingDirectory=/|' 'studio@.service' > "$place/studio@3001.service"
systemd-analyze verify "$place/studio@3001.service"
systemd-analyze security --offline=true --threshold=20 'studio@.service' | tail -1

echo '== caddy'
caddy validate --adapter caddyfile --config Caddyfile 2>&1 | tail -1

echo '== nginx'
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=studio.example \
  -keyout "$place/privkey.pem" -out "$place/fullchain.pem" 2> "$place/openssl.log"
{
  echo "pid $place/nginx.pid; error_log stderr; events {} http { access_log off;"
  sed "s|/etc/letsencrypt/live/studio.example|$place|" nginx.conf
  echo '}'
} > "$place/nginx.conf"
nginx -t -c "$place/nginx.conf"

echo '== shell'
sh -n rolling-restart.sh

[ "${1:-}" = image ] || exit 0
echo '== image: built from a Debian made here, run as it will be'
mmdebstrap --variant=minbase trixie "$place/debian.tar"
base=$(buildah from scratch)
buildah add "$base" "$place/debian.tar" / > "$place/buildah.log"
# The build must also trust what this machine trusts, such as a proxy's certificate.
if [ -d /usr/local/share/ca-certificates ]; then
  buildah add "$base" /usr/local/share/ca-certificates /usr/local/share/ca-certificates >> "$place/buildah.log"
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$base"
fi
buildah commit --quiet "$base" localhost/debian-for-studio >> "$place/buildah.log"
buildah rm "$base" >> "$place/buildah.log"
buildah build --isolation chroot --format docker --file Dockerfile --build-arg BASE=localhost/debian-for-studio --tag studio ..
container=$(buildah from studio)
buildah run --isolation chroot "$container" -- sh -c '
  PORT=3999 HOST=127.0.0.1 node scripts/serve.mjs &
  server=$!
  ready="fetch(\"http://127.0.0.1:3999/readyz\").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
  waited=0
  until node --eval "$ready"; do
    waited=$((waited + 1))
    [ "$waited" -lt 60 ] || exit 1
    sleep 1
  done
  id
  kill -TERM "$server"
  wait "$server"'
buildah rm "$container" >> "$place/buildah.log"
echo 'The image serves, and stops when it is told to.'
