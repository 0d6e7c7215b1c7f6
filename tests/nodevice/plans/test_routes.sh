#!/bin/sh
# test_routes.sh LIST_ROUTES OUTPUT
#
# The plans for made-up devices take the routes of golden/routes.txt. Today's routes are written to
# OUTPUT.
set -eu
. "$(dirname "$0")/../../common.sh"
golden=$(dirname "$0")/../../golden/routes.txt
"$1" >"$2"
diff -U 1 "$golden" "$2" ||
    fail "the routes (+) differ from $golden (-). If every difference is meant: cp $2 $golden"
