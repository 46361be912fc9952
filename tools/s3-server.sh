#!/bin/sh
# A real S3 server for tests: one node of Ceph in memory (Debian: radosgw ceph-mon ceph-osd ceph-mgr ceph-common).
#
#   eval "$(tools/s3-server.sh start)"   starts it and sets KONTOR_TEST_S3
#   tools/s3-server.sh stop
set -eu
dir=${KONTOR_S3_DIR:-${TMPDIR:-/tmp}/kontor-s3}
port=${KONTOR_S3_PORT:-7480}
conf=$dir/ceph.conf

if [ "$1" = stop ]; then
  for pid in "$dir"/*.pid; do [ -f "$pid" ] && kill "$(cat "$pid")" || true; done
  rm -rf "$dir"
  exit 0
fi

rm -rf "$dir" && mkdir -p "$dir/mon" "$dir/osd"
cat >"$conf" <<CONF
[global]
fsid = 6f6b4d0c-53d9-4a6a-93a5-0f5a8d9e6c11
mon host = [v1:127.0.0.1:16789]
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default pg num = 8
mon allow pool size one = true
mon max pg per osd = 1000
osd class update on start = false
osd crush update on start = false
osd crush chooseleaf type = 0
ms bind msgr2 = false
ms bind ipv4 = true
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = $dir
log file = $dir/\$name.log
pid file = $dir/\$name.pid
admin socket = $dir/\$name.asok
mon data = $dir/mon
osd data = $dir/osd
mgr data = $dir/mgr
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$port
rgw data = $dir/rgw
CONF
ceph="ceph -c $conf --connect-timeout 20"
monmaptool --create --addv a '[v1:127.0.0.1:16789]' --fsid 6f6b4d0c-53d9-4a6a-93a5-0f5a8d9e6c11 "$dir/monmap" >&2
ceph-mon -c "$conf" --mkfs -i a --monmap "$dir/monmap" >&2
ceph-mon -c "$conf" -i a >&2
mkdir -p "$dir/mgr" "$dir/rgw"
ceph-mgr -c "$conf" -i a >&2
$ceph osd create >&2
ceph-osd -c "$conf" -i 0 --mkfs >&2
$ceph osd crush add osd.0 1.0 root=default host=localhost >&2
ceph-osd -c "$conf" -i 0 >&2
radosgw -c "$conf" -n client.rgw >&2
radosgw-admin -c "$conf" -n client.rgw user create --uid=test --display-name=test \
  --access-key=test --secret-key=testtest >"$dir/user.json"
for _ in 1 2 3 4 5 6 7 8 9 10; do
  curl -s -o "$dir/probe" "http://127.0.0.1:$port/" && break
  sleep 1
done
echo "export KONTOR_TEST_S3='s3://test:testtest@kontor-test?endpoint=http://127.0.0.1:$port'"
