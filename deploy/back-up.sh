#!/bin/sh
# back-up.sh FOLDER [KEPT]: makes a backup in the folder, then removes all but the latest, 14 unless
# another number is given. A backup that fails removes none.
set -eu
folder=$1
kept=${2:-14}
# Where install.sh puts it, or in the image.
node=/srv/commonplace/node/bin/node
program=/srv/commonplace/current/node_modules/commonplace-server/bin/commonplace.cjs
[ -e "$program" ] || { node=node; program=/app/bin/commonplace.cjs; }
"$node" "$program" backup "$folder/$(date -u +%Y-%m-%dT%H-%M-%SZ)"
find "$folder" -mindepth 1 -maxdepth 1 -type d -name '????-??-??T??-??-??Z' | sort -r |
  tail -n "+$((kept + 1))" | while IFS= read -r old; do rm -rf "$old"; done
