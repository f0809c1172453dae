#!/bin/sh
# Restarts the site's processes one after the other, each when the one before is ready, without an interruption.
#   sh rolling-restart.sh 3001 3002
set -eu
for port in "$@"; do
  systemctl restart "studio@$port"
  waited=0
  until curl --fail --silent --output /dev/null "http://127.0.0.1:$port/readyz"; do
    waited=$((waited + 1))
    if [ "$waited" -gt 120 ]; then
      echo "studio@$port is not ready after two minutes; the others go on as they were. See: journalctl -u studio@$port" >&2
      exit 1
    fi
    sleep 1
  done
  echo "studio@$port is ready"
  # A proxy may take this long to notice that it is back.
  sleep 10
done
