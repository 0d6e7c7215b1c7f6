#!/bin/sh
# ci.sh JOB PROJECT: the workflow tools/build/packaging/ci.yml, as a script by workflow.py, on a
# Debian with nothing else. check/parts/packages.sh runs it in a chroot. PROJECT is a folder to
# make: a user's project of two examples. The second run gets PoCL's cache back and must not compile
# a kernel again.
set -eu
job=$1 project=$2
. "$(dirname "$0")/../common.sh"
examples=$(cd "$(dirname "$0")/../examples" && pwd)
fresh_dir "$project"
cp "$examples/keys.c" "$examples/pairs.c" "$project"
cat >"$project/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.22)
project(yours LANGUAGES C)
enable_testing()
find_package(clsort REQUIRED)
foreach(name keys pairs)
    add_executable(${name} ${name}.c)
    target_link_libraries(${name} PRIVATE clsort::clsort)
    add_test(NAME ${name} COMMAND ${name})
endforeach()
PROJECT

# kernels DIR: PoCL's compiled kernels with their times.
kernels() { find "$1/pocl-cache" -name '*.so' -printf '%P %T@\n' | sort; }
for run in first second; do
    fresh_dir "/tmp/$run"
    [ $run = first ] || cp -a /tmp/first/pocl-cache /tmp/second
    cd "/tmp/$run"
    sh "$job" || fail "the $run run of the workflow"
done
kernels /tmp/first >/tmp/kernels
[ -s /tmp/kernels ] || fail "no kernel is in the cache"
kernels /tmp/second | diff /tmp/kernels - || fail "the second run compiled kernels again (>)"
echo "ci: $(wc -l </tmp/kernels) kernels were kept"
