#!/bin/sh
# test_routes.sh LIST_ROUTES OUTPUT
#
# The plans for made-up devices take the routes that golden/routes.txt has. OUTPUT is where the routes of
# today are written.
set -eu
golden=$(dirname "$0")/golden/routes.txt
"$1" >"$2"
diff -U 1 "$golden" "$2" && exit 0
echo "FAILED: other routes (+) than in $golden (-). Where each difference is meant: cp $2 $golden"
exit 1
