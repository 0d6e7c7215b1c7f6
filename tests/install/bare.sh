#!/bin/sh
# bare.sh SOURCE_DIR PACKAGES_DIR: the packages of tools/package on a Debian with nothing else.
#
# check/parts/packages.sh runs it as root inside a fresh chroot. apt-get gets what the packages ask
# for, and the compilers that their users bring.
set -eu
source=$1 packages=$2
work=/tmp/work
log=$work.log
. "$source/tests/common.sh"
fresh_dir "$work"
cd "$work"
export DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C

say() { printf '== %s\n' "$*"; }
quietly() { "$@" >"$log" 2>&1 || fail "$*"; }
get() { quietly apt-get -q -y install "$@"; }
# sorts PROGRAM...: the tool sorts numbers and text as sort(1) does.
sorts() {
    "$@" devices | grep '^\*' || fail "$* finds no device"
    seq 200000 | shuf >numbers
    "$@" sort --text -y u32 -a radix -o sorted numbers || fail "$* sort"
    seq 200000 | cmp - sorted || fail "$* sort --text gave another order than seq"
    "$@" sort --lines numbers >lines || fail "$* sort --lines"
    sort numbers | cmp - lines || fail "$* sort --lines gave another order than sort"
}
# gives_output PROGRAM SOURCE ARGUMENT...: an example prints what its head says.
gives_output() {
    program=$1 text=$2
    shift 2
    expected=$(announced_output "$text")
    [ -n "$expected" ] || fail "$text announces no output"
    [ "$("$program" "$@" | one_line)" = "$expected" ] || fail "$program does not print: $expected"
}

say "the packages' names, versions and contents"
cd "$packages"
ls -1
cd "$work"
quietly apt-get -q update

say "clsort.deb: the tool, and a driver because the library recommends one"
library=$(echo "$packages"/libclsort[0-9]*_*.deb)
get "$library" "$packages"/clsort_*.deb
sorts clsort
zcat /usr/share/man/man1/clsort.1.gz | grep -q '^\.Nm clsort' || fail "no manual page"
grep -q 'MIT License' /usr/share/doc/clsort/copyright || fail "no licence"

say "libclsort-dev.deb: keys.c and README's tasters by pkg-config, CMake's package, all examples, tests"
[ ! -e /usr/include/clsort ] || fail "headers without libclsort-dev"
get gcc libc6-dev pkg-config "$packages"/libclsort-dev_*.deb
cp /usr/share/doc/clsort/examples/keys.c program.c
# shellcheck disable=SC2046 # several options
quietly cc program.c $(pkg-config --cflags --libs clsort)
gives_output ./a.out program.c
sh "$source/tests/check/text/tasters.sh" "$source/README.md" "$work/tasters"
get cmake make g++ libcmocka-dev libxxhash-dev
quietly cmake -S "$source/tests" -B tests
quietly cmake --build tests --parallel 2
quietly ctest --test-dir tests --no-tests=error --output-on-failure --parallel 2
sed -n 's/^\([0-9]*% tests passed.*\)/\1/p' "$log"

say "clsort-mpi.deb"
get openmpi-bin libopenmpi-dev "$packages"/clsort-mpi_*.deb
head -c 4000000 /dev/urandom >keys
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
quietly mpiexec -n 2 clsort-mpi sort -y u32 -o by-ranks keys
clsort sort -y u32 -o by-one keys
cmp by-ranks by-one || fail "clsort-mpi and clsort give other bytes"
quietly cmake -S "$source/tests/install/consumer_mpi" -B consumer-mpi -D CLSORT_COMPONENT=mpi
quietly cmake --build consumer-mpi
quietly consumer-mpi/consumer

say "the wheel, in a fresh environment with Debian's numpy, without a compiler's help"
get python3-venv python3-numpy
quietly python3 -m venv --system-site-packages venv
quietly venv/bin/pip install --no-index --no-deps "$packages"/clsort-*.whl
quietly venv/bin/python "$source/tests/python/numpy_case.py"
sh "$source/tests/check/text/tasters.sh" "$source/README.md" "$work/tasters" \
    "$work/venv/bin/python"

say "removed packages leave nothing behind"
quietly apt-get -q -y purge "$(dpkg-deb --field "$library" Package)"
left=$(find /usr /etc /var/lib/dpkg/info -iname '*clsort*')
[ -z "$left" ] || fail "left behind: $left"

say "the tool as one file"
for tool in "$packages"/clsort-*-"$(uname -m)"; do
    cp "$tool" ./one-file
    chmod +x one-file
    get ocl-icd-libopencl1 pocl-opencl-icd
    sorts ./one-file
done

say "the archive, unpacked and moved"
prefix="/opt/a place"
mkdir "$prefix"
tar -xzf "$packages"/clsort-*-Linux-*.tar.gz -C "$prefix" --strip-components=1
sorts "$prefix/bin/clsort"
# As docs/packages.md says for a folder that the loader does not know.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
eval "quietly cc program.c $(pkg-config --cflags --libs clsort) \
    -Wl,-rpath,$(pkg-config --variable=libdir clsort)"
gives_output ./a.out program.c
rm -r tests
quietly cmake -S "$source/tests" -B tests -D CMAKE_PREFIX_PATH="$prefix"
quietly cmake --build tests --parallel 2 --target example.strings
gives_output tests/examples/example.strings "$source/tests/examples/strings.c"
echo "bare: every check passed"
