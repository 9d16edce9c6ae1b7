#!/bin/bash
# Installs Commonplace on a Debian machine that has nothing else, or updates what it installed before:
#
#   tar xzf commonplace-server-VERSION.tgz
#   package/deploy/install.sh example.org --package commonplace-server-VERSION.tgz
#
# It prints its plan and asks before it changes anything. Run it again at any time: it does only what
# is missing. Settings that exist are never overwritten.
set -euo pipefail
umask 022

readonly PROGRAM=/srv/commonplace SETTINGS=/etc/commonplace DATA=/var/lib/commonplace/1
readonly BACKUPS=/var/backups/commonplace SITE=/etc/caddy/commonplace.caddy UNITS=/etc/systemd/system
readonly PACKAGES=(ca-certificates caddy curl libatomic1 unattended-upgrades xz-utils)
# Debian's Node is too old, and its npm brings 400 packages: both come from the project itself.
readonly NODE_SOURCE=${NODE_SOURCE:-https://nodejs.org/dist}/latest-v26.x

usage() {
  cat <<'USAGE'
usage: install.sh [DOMAIN] [--package NAME@VERSION|FILE.tgz] [--yes | --plan]

  DOMAIN     where the site will be found, as example.org; needed the first time
  --package  what to install: by default commonplace-server@latest the first time,
             and the installed version afterwards
  --yes      do not ask
  --plan     print the plan and end

NODE_SOURCE may name a copy of https://nodejs.org/dist.
USAGE
}

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

wrong() {
  printf 'error: %s\n\n' "$*" >&2
  usage >&2
  exit 2
}

domain='' package='' mode=ask
while [ $# -gt 0 ]; do
  case $1 in
    --package) package=${2-}; [ -n "$package" ] || wrong '--package needs a value'; shift ;;
    --yes) mode=yes ;;
    --plan) mode=plan ;;
    --help) usage; exit 0 ;;
    -*) wrong "unknown option $1" ;;
    *) [ -z "$domain" ] || wrong "one domain only, not also $1"; domain=$1 ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || fail 'run this as root'
[ -e /etc/debian_version ] || fail 'this is not Debian: docs/operating.md says what to do by hand'
case $(uname -m) in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) fail "there is no Node for $(uname -m)" ;;
esac

known_domain=$(sed -n 's#^PUBLIC_URL="\{0,1\}https://\([^/"]*\).*#\1#p' $SETTINGS/common.env 2>/dev/null || true)
domain=${domain:-$known_domain}
[ -n "$domain" ] || wrong 'name the domain of the site'
[[ $domain =~ ^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$ ]] ||
  wrong "\"$domain\" is no domain in lower case, as example.org"
[ "$domain" = "${known_domain:-$domain}" ] ||
  fail "this site is at $known_domain: to move it, run commonplace change-address https://$known_domain https://$domain"
case $package in
  '') if [ ! -e $PROGRAM/current ]; then package=commonplace-server@latest; fi ;;
  *.tgz) [ -f "$package" ] || fail "there is no file $package"; package=$(realpath "$package") ;;
esac

has_systemd() { [ -d /run/systemd/system ]; }
has_database() { grep -q '^DATABASE_URL=.' $SETTINGS/*.env 2>/dev/null; }

missing_packages() {
  local name
  for name in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
      printf '%s ' "$name"
  done
}

# STATE TEXT: one line of the plan.
line() { printf '  %-8s %s\n' "$1" "$2"; }
# PATH TEXT
line_for() { if [ -e "$1" ]; then line kept "$2"; else line make "$2"; fi; }

print_plan() {
  local missing
  missing=$(missing_packages)
  printf 'Commonplace at https://%s, on this machine:\n\n' "$domain"
  if [ -n "$missing" ]; then line install "Debian packages: $missing"; else line kept 'Debian packages'; fi
  line_for /etc/apt/apt.conf.d/20auto-upgrades 'security updates of Debian, every day by themselves'
  if id commonplace >/dev/null 2>&1; then line kept 'user commonplace'; else line make 'user commonplace, without a login'; fi
  line check "$PROGRAM/node: the latest from $NODE_SOURCE"
  if [ -n "$package" ]; then line install "$PROGRAM/current: $package"; else line kept "$PROGRAM/current: $(readlink $PROGRAM/current)"; fi
  line_for $SETTINGS/common.env "$SETTINGS: settings, for root alone"
  line write 'systemd: commonplace@1'
  if has_database; then
    line skip 'a site and backups on this machine, since the record is in PostgreSQL'
  else
    line_for $DATA/commonplace.db "$DATA: a new site, hidden until you open it"
    line make "backups, every night into $BACKUPS/1, the latest 14 kept, unless settings say otherwise"
  fi
  line write '/usr/local/bin/commonplace: the command line, with the settings of the service'
  line write "$SITE, imported by /etc/caddy/Caddyfile: TLS for $domain"
  if has_systemd; then line start 'commonplace@1 and Caddy'; else line enable 'all of it for the next boot, since systemd does not run here'; fi
  printf '\n'
}

install_packages() {
  local missing
  read -r -a missing <<<"$(missing_packages)"
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
  fi
  if [ ! -e /etc/apt/apt.conf.d/20auto-upgrades ]; then
    printf 'APT::Periodic::%s "1";\n' Update-Package-Lists Unattended-Upgrade \
      >/etc/apt/apt.conf.d/20auto-upgrades
  fi
}

# LINK TARGET: replaced in one step.
point() {
  ln -sfn "$2" "$1.new"
  mv -T "$1.new" "$1"
}

# An empty folder to fill; it gets its name once it is complete.
begin_part() {
  rm -rf "$PROGRAM/part"
  mkdir "$PROGRAM/part"
}

install_node() {
  local sums archive folder
  sums=$(curl -fsSL "$NODE_SOURCE/SHASUMS256.txt") || fail "cannot read $NODE_SOURCE"
  archive=$(grep -oE "node-v[0-9.]+-$platform\.tar\.xz$" <<<"$sums") || fail "$NODE_SOURCE has no $platform"
  folder=${archive%.tar.xz}
  if [ ! -d "$PROGRAM/$folder" ]; then
    begin_part
    (
      cd "$PROGRAM/part"
      curl -fsSLO "$NODE_SOURCE/$archive"
      grep " $archive\$" <<<"$sums" | sha256sum --check --quiet || fail "$archive is damaged"
      tar xJf "$archive" --no-same-owner
    )
    mv "$PROGRAM/part/$folder" "$PROGRAM/$folder"
    rm -rf "$PROGRAM/part"
  fi
  point $PROGRAM/node "$folder"
  PATH=$PROGRAM/node/bin:$PATH
}

install_program() {
  local folder
  if [ -z "$package" ]; then return; fi
  if [ -f "$package" ]; then
    folder=$(tar xzOf "$package" package/package.json | node -p 'JSON.parse(fs.readFileSync(0)).version')
    folder=commonplace-$folder-$(sha256sum "$package" | cut -c 1-8)
  else
    folder=commonplace-$(npm view "$package" version) || fail "npm does not know $package"
  fi
  if [ ! -d "$PROGRAM/$folder" ]; then
    begin_part
    echo '{ "private": true }' >"$PROGRAM/part/package.json"
    npm install --prefix "$PROGRAM/part" --no-audit --no-fund --ignore-scripts --loglevel=error "$package"
    mv "$PROGRAM/part" "$PROGRAM/$folder"
  fi
  if [ "$(readlink $PROGRAM/current || true)" = "$folder" ]; then return; fi
  if [ -e $PROGRAM/current ]; then point $PROGRAM/previous "$(readlink $PROGRAM/current)"; fi
  point $PROGRAM/current "$folder"
}

# Keeps what the links lead to.
remove_old_versions() {
  local folder kept
  kept=$(readlink $PROGRAM/{node,current,previous} || true)
  for folder in "$PROGRAM"/commonplace-* "$PROGRAM"/node-v*; do
    grep -qxF "$(basename "$folder")" <<<"$kept" || rm -rf "$folder"
  done
}

make_settings() (
  umask 077
  install -d -m 0700 $SETTINGS
  if [ ! -e $SETTINGS/common.env ]; then
    printf '%s\n' '# Settings of every instance: see docs/operating.md. Passwords belong here, and nowhere else.' \
      "PUBLIC_URL=https://$domain" 'TRUST_PROXY=1' >$SETTINGS/common.env
  fi
  if [ -e $SETTINGS/1.env ]; then return; fi
  printf '%s\n' '# Settings of instance 1 alone.' 'PORT=8080' >$SETTINGS/1.env
  has_database || schedule_backups
)

schedule_backups() { printf 'BACKUP_AT=03:00\nBACKUP_TO=%s/1\n' $BACKUPS >>$SETTINGS/1.env; }

# An earlier version made backups by a timer.
replace_timer() {
  if [ ! -e "$UNITS/commonplace-backup@.timer" ]; then return; fi
  if [ -e $UNITS/timers.target.wants/commonplace-backup@1.timer ] && ! grep -q '^BACKUP_AT=' $SETTINGS/*.env; then
    schedule_backups
  fi
  if has_systemd; then systemctl stop commonplace-backup@1.timer; fi
  systemctl disable -q commonplace-backup@1.timer
  rm -f $UNITS/commonplace-backup@.{service,timer}
  units_changed=yes
}

# As systemd does it for the unit; here too, for the site is made before the service starts.
make_folders() {
  id commonplace >/dev/null 2>&1 ||
    useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin commonplace
  install -d -m 0755 "$(dirname $DATA)" $BACKUPS
  install -d -m 0700 -o commonplace -g commonplace $DATA $BACKUPS/1
}

# FROM TO [MODE]: writes only what differs, and succeeds only if it did.
put() {
  if cmp -s "$1" "$2"; then return 1; fi
  install -m "${3:-0644}" "$1" "$2"
}

write_units() {
  units_changed=''
  if put "$deploy/commonplace@.service" "$UNITS/commonplace@.service"; then units_changed=yes; fi
  replace_timer
  put "$deploy/commonplace" /usr/local/bin/commonplace 0755 || true
}

write_proxy() {
  local file=/etc/caddy/Caddyfile
  sed "s/example\.org/$domain/g" "$deploy/one-machine.caddy" >$SITE.new
  put $SITE.new $SITE || true
  rm $SITE.new
  if ! grep -qxF "import $SITE" $file; then
    # What Debian's package brings is a page at port 80; what somebody wrote stays.
    if dpkg-query -W -f='${Conffiles}\n' caddy | grep -qF "$file $(md5sum $file | cut -d ' ' -f 1)"; then
      echo "import $SITE" >$file
    else
      printf '\nimport %s\n' "$SITE" >>$file
    fi
  fi
  caddy validate --config $file --adapter caddyfile >/dev/null 2>&1 ||
    fail "Caddy refuses $file: run caddy validate --config $file"
}

enable_units() {
  local units=(commonplace@1.service caddy.service)
  systemctl enable -q "${units[@]}"
  if ! has_systemd; then return; fi
  systemctl daemon-reload
  if [ "$units_changed$links_before" != "$(links)" ] || settings_changed; then
    systemctl try-restart commonplace@1
  fi
  systemctl start "${units[@]}"
  systemctl reload caddy
}

# Whether they are newer than the running service.
settings_changed() {
  local since
  since=$(systemctl show -P ActiveEnterTimestamp commonplace@1)
  [ -n "$since" ] && [ -n "$(find $SETTINGS -newermt "$since")" ]
}

# The versions that a service starts with.
links() { readlink $PROGRAM/node $PROGRAM/current || true; }

wait_until_ready() {
  local port
  port=$(sed -n 's/^PORT=//p' $SETTINGS/1.env)
  curl -fs -o /dev/null --retry 300 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz" ||
    fail 'the service does not become ready: see journalctl -u commonplace@1'
}

print_next() {
  printf '\nDone: %s, Node %s.\n' "$(basename "$(readlink $PROGRAM/current)")" "$(node --version)"
  if [ -e $DATA/setup-code ]; then
    printf 'Create your account at https://%s/admin/setup, with the code in %s/setup-code\n' "$domain" $DATA
  fi
  printf 'Is all in order?  commonplace doctor\n'
  if ! has_database; then printf 'Copy %s to another machine every day, or name one in BACKUP_TO.\n' $BACKUPS; fi
}

print_plan
case $mode in
  plan) exit 0 ;;
  ask)
    [ -t 0 ] || fail 'there is no terminal to ask at: use --yes'
    read -r -p 'Go on? [y/N] ' answer
    [[ $answer =~ ^[Yy] ]] || { echo 'Nothing was changed.'; exit 0; }
    ;;
esac
links_before=$(links)
install_packages
mkdir -p $PROGRAM
install_node
install_program
remove_old_versions
readonly deploy=$PROGRAM/current/node_modules/commonplace-server/deploy
make_settings
make_folders
write_units
has_database || [ -e $DATA/commonplace.db ] || /usr/local/bin/commonplace init --hidden
write_proxy
enable_units
if has_systemd; then wait_until_ready; fi
print_next
