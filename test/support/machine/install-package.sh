# Installs Debian packages as root, but prevents them from starting services or creating a database cluster.
set -eu

exec 9>/run/foyer-test-install.lock
flock 9

policy=/usr/sbin/policy-rc.d
cluster=/etc/postgresql-common/createcluster.d/foyer-test.conf
undo="rm -f $cluster"
trap 'eval "$undo"' EXIT

if [ ! -e "$policy" ]; then
  undo="$undo $policy"
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
mkdir -p "${cluster%/*}"
echo 'create_main_cluster = false' >"$cluster"

export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=15 -o Acquire::Retries=2 "$@" 9>&-; }
install() { apt install -y --no-install-recommends "$@"; }

# Package lists may be empty in a new container and outdated in an old one.
install "$@" || { apt update && install "$@"; }
