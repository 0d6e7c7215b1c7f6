#!/usr/bin/env bash
# run.sh SOURCE_DIR BUILD_DIR: what users of an installed clsort, or of its sources, depend on.
# Works in BUILD_DIR/install-test. Stops at the first error, with a sentence.
set -eu
. "$(dirname "$0")/../common.sh"
source=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)/install-test
here=$(cd "$(dirname "$0")" && pwd)
export CC="${CC-cc}"
CXX="${CXX-c++}"
fresh_dir "$work"

say() { printf '== %s\n' "$*"; }
# quietly COMMAND...: shows the output only if the command fails.
quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log"
        fail "$*"
    }
}
# The library is built often, and not to be fast.
faster=(-D CMAKE_C_FLAGS_RELEASE="-O0 -DNDEBUG")
build() { # DIR SOURCE OPTION...
    local dir=$1 from=$2
    shift 2
    quietly cmake -S "$from" -B "$dir" -D CMAKE_BUILD_TYPE=Release "${faster[@]}" \
        -D CLSORT_VERSION="${version-}" "$@"
    quietly cmake --build "$dir" --parallel 2
}
# defines_own_names ARCHIVE...: every name begins with clsort_, or with __ if the compiler made it.
defines_own_names() {
    for archive in "$@"; do
        nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' >"$work/names"
        grep -q '^clsort_' "$work/names" || fail "$archive defines no function of clsort"
        ! grep -v '^clsort_\|^__' "$work/names" || fail "$archive defines the names above"
    done
}
consumer() { # NAME OPTION...: builds and runs the user's project
    local name=$1
    shift
    say "$name"
    build "$work/$name" "$here/consumer" "$@"
    "$work/$name/consumer" || fail "the program built in $work/$name"
}
has() { # FILE...: the prefix has them
    for file in "$@"; do
        [ -s "$prefix/$file" ] || fail "$file is not in the prefix"
    done
}

say "install"
build "$work/build" "$source" -D CLSORT_BUILD_TESTS=OFF -D CMAKE_INSTALL_LIBDIR=lib
quietly cmake --install "$work/build" --prefix "$work/first"
# An installed tree may be moved: nothing in it may name the folder where it was installed.
prefix=$work/prefix
mv "$work/first" "$prefix"
moved=$(grep -rlIF "$work" "$prefix" || true)
[ -z "$moved" ] || fail "these files name the folder where they were installed: $moved"
(cd "$prefix" && find . -type f -o -type l | sort)

for header in "$source"/include/clsort/*.h*; do
    [ "${header##*/}" = clsort_mpi.h ] || has "include/clsort/${header##*/}"
done
has lib/libclsort.so lib/libclsort.a lib/pkgconfig/clsort.pc lib/cmake/clsort/clsort-config.cmake
has share/doc/clsort/examples/from_python.py share/doc/clsort/docs/pictures/rank.svg
num_links=0
while IFS=: read -r document link; do
    [ -s "$(dirname "$document")/$link" ] ||
        fail "the installed $document links to $link, which is not there"
    num_links=$((num_links + 1))
done < <(grep -roE --include='*.md' '\]\([^)#]+' "$prefix/share/doc/clsort" | sed 's/\](//' |
    grep -v ':https\?://')
[ $num_links -ge 40 ] || fail "the installed documents have only $num_links links"
if [ -e "$source/tools/clsort/CMakeLists.txt" ]; then
    has bin/clsort lib/clsort/opponents_host.so share/man/man1/clsort.1 \
        share/bash-completion/completions/clsort share/zsh/site-functions/_clsort
    LD_LIBRARY_PATH=$prefix/lib "$prefix/bin/clsort" --version || fail "clsort --version"
fi

say "components: each file belongs to one; the library's are what a program needs to run"
for component in library development tool mpi; do
    quietly cmake --install "$work/build" --prefix "$work/$component" --component $component
    (cd "$work" && find $component -type f -o -type l | sed 's|^[a-z]*/||' | sort >$component.files)
done
(cd "$prefix" && find . -type f -o -type l | sed 's|^\./||' | sort) >"$work/files"
sort "$work"/{library,development,tool,mpi}.files | diff "$work/files" - ||
    fail "all files (<) and those of the components (>) differ"
printf '%s\n' lib/libclsort.so.X lib/libclsort.so.X.Y share/doc/clsort/LICENSE >"$work/expected"
sed 's/\.so\.[0-9]*\.[0-9]*/.so.X/; s/\.so\.X\.[0-9]*$/.so.X.Y/' "$work/library.files" |
    diff "$work/expected" - || fail "the component library has other files (>)"
! grep -v '^bin/\|^lib/clsort/\|^share/man/\|^share/bash-completion/\|^share/zsh/' \
    "$work/tool.files" ||
    fail "the component tool has the files above"
! grep -v mpi "$work/mpi.files" || fail "the component mpi has the files above"

say "the shared library exports the functions that the headers declare and nothing else"
sed -n 's/^CLSORT_API .*[ *]\(clsort_[a-z_]*\)(.*/\1/p' \
    "$prefix"/include/clsort/clsort{,_plan}.h | sort >"$work/declared"
nm -D --defined-only "$prefix/lib/libclsort.so" | awk '{ print $NF }' | sort >"$work/exported"
[ -s "$work/declared" ] || fail "no declaration was found in clsort.h"
diff "$work/declared" "$work/exported" || fail "declared (<) and exported (>) differ"

say "it needs an OpenCL loader and the C library, nothing else"
readelf -d "$prefix/lib/libclsort.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
[ -s "$work/needed" ] || fail "libclsort.so needs no library"
! grep -v '^libOpenCL\.so\|^lib[cm]\.so\|^libpthread\.so\|^ld-' "$work/needed" ||
    fail "libclsort.so needs the libraries above"

say "the static library defines no name that does not begin with clsort_"
defines_own_names "$prefix/lib/libclsort.a"

say "each header alone; clsort.h declares what clsort_plan.h does"
for language in "$CC -x c -std=c99" "$CC -x c -std=c11" "$CXX -x c++ -std=c++11"; do
    for header in clsort clsort_plan; do
        # shellcheck disable=SC2086 # a compiler and its options
        echo "#include <clsort/$header.h>" | quietly $language -Wall -Wextra -Wpedantic -Werror \
            -D CL_TARGET_OPENCL_VERSION=120 -I "$prefix/include" -fsyntax-only -
    done
    # shellcheck disable=SC2086
    printf '#include <clsort/clsort.h>\nclsort_plan plan;\nint main(void)\n{\n    %s\n}\n' \
        'return clsort_get_plan(0, 0, &plan, 0, 0) == CLSORT_OK;' |
        quietly $language -D CL_TARGET_OPENCL_VERSION=120 -I "$prefix/include" -fsyntax-only -
done

say "clsort.hpp as C++17 and C++20"
for standard in 17 20; do
    quietly "$CXX" -std=c++$standard -Wall -Wextra -Wpedantic -Werror \
        -Wno-missing-field-initializers -I "$prefix/include" "$here/consumer/consumer.cpp" \
        -L "$prefix/lib" -lclsort -lOpenCL -Wl,-rpath,"$prefix/lib" -o "$work/consumer"
    "$work/consumer" || fail "the program of clsort.hpp as C++$standard"
done

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
version=$(sed -n 's/^Version: //p' "$PKG_CONFIG_PATH/clsort.pc")
[ -n "$version" ] || fail "clsort.pc has no version"

consumer find-package -D CMAKE_PREFIX_PATH="$prefix" -D CLSORT_LIBRARY=clsort::clsort
consumer find-package-static -D CMAKE_PREFIX_PATH="$prefix" -D CLSORT_LIBRARY=clsort::clsort_static

say "tests and examples, by the installed library"
targets=(test_names test_nodevice example.host_arrays example.keys)
if [ -n "$(find /usr/include /usr/local/include -name cmocka.h)" ]; then
    quietly cmake -S "$here/.." -B "$work/tests" -D CMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$work/tests" --parallel 2 --target "${targets[@]}"
    grep -q "^clsort_DIR:PATH=$prefix/" "$work/tests/CMakeCache.txt" ||
        fail "the tests did not find the library in $prefix"
    quietly ctest --test-dir "$work/tests" --no-tests=error --output-on-failure \
        -R '^(names|example\.(host_arrays|keys))$'
else
    say "skipped: they need cmocka"
fi

if command -v pkg-config >/dev/null; then
    say "pkg-config"
    [ "$(pkg-config --modversion clsort)" = "$version" ] || fail "pkg-config does not find clsort"
    flags=$(pkg-config --cflags --libs clsort) ||
        fail "pkg-config does not find what clsort requires"
    # The shell removes the backslashes before the blanks of a path.
    eval "quietly \"\$CC\" -o \"\$work/consumer\" \"\$here/consumer/consumer.c\" $flags"
    LD_LIBRARY_PATH=$prefix/lib "$work/consumer" || fail "the program built by pkg-config"
    # docs/faq.md's hint puts the folder into the program.
    rpath=-Wl,-rpath,$(pkg-config --variable=libdir clsort)
    eval "quietly \"\$CC\" -o \"\$work/consumer\" \"\$here/consumer/consumer.c\" $flags \"\$rpath\""
    "$work/consumer" || fail "the program built with -rpath"
    # As docs/packages.md says: the static library, although the shared one lies beside it.
    archive=$(pkg-config --variable=libdir clsort)/libclsort.a
    # shellcheck disable=SC2046 # several options
    quietly "$CC" -o "$work/consumer" "$here/consumer/consumer.c" $(pkg-config --cflags clsort) \
        "$archive" $(pkg-config --libs OpenCL)
    ! readelf -d "$work/consumer" | grep 'NEEDED.*libclsort' ||
        fail "the program built with $archive needs the shared library"
    "$work/consumer" || fail "the program built with $archive"
else
    say "skipped: clsort.pc, without pkg-config"
fi

mpi=$(cd "$prefix/lib" && ls libclsort_mpi_*.so 2>/dev/null | head -n 1) || true
if [ -n "$mpi" ]; then
    say "clsort_mpi"
    mpi=${mpi#lib} mpi=${mpi%.so}
    while IFS= read -r variable; do export "${variable?}"; done <"$here/../mpi/environment"
    has include/clsort/clsort_mpi.h "lib/pkgconfig/$mpi.pc" "lib/cmake/clsort/$mpi-targets.cmake" \
        bin/clsort-mpi share/man/man1/clsort-mpi.1
    sed -n 's/^CLSORT_MPI_API .*[ *]\(clsort_mpi_[a-z_]*\)(.*/\1/p' \
        "$prefix/include/clsort/clsort_mpi.h" | sort >"$work/declared"
    nm -D --defined-only "$prefix/lib/lib$mpi.so" | awk '{ print $NF }' | sort >"$work/exported"
    diff "$work/declared" "$work/exported" ||
        fail "clsort_mpi: declared (<) and exported (>) differ"
    ! readelf -d "$prefix/lib/libclsort.so" | grep -qi 'NEEDED.*mpi' || fail "clsort needs MPI"
    for component in mpi "${mpi#clsort_}"; do
        build "$work/$component" "$here/consumer_mpi" -D CMAKE_PREFIX_PATH="$prefix" \
            -D CLSORT_COMPONENT="$component"
        "$work/$component/consumer" || fail "the program built in $work/$component"
    done
    ! cmake -S "$here/consumer_mpi" -B "$work/no-mpi" -D CMAKE_PREFIX_PATH="$prefix" \
        -D CLSORT_COMPONENT=mpi_none >"$work/log" 2>&1 ||
        fail "a flavour that is not installed was found"
    compiler=$(command -v "mpicc.${mpi#clsort_mpi_}" || command -v mpicc) || compiler=
    cxx="${compiler/mpicc/mpicxx} -x c++ -std=c++11 -D OMPI_SKIP_MPICXX"
    for language in "$compiler -x c -std=c99" "$cxx"; do
        command -v "${language%% *}" >/dev/null || continue
        # shellcheck disable=SC2086 # a compiler and its options
        echo '#include <clsort/clsort_mpi.h>' | quietly $language -Wall -Wextra -Werror \
            -D CL_TARGET_OPENCL_VERSION=120 -I "$prefix/include" -fsyntax-only -
    done
    if [ -n "$compiler" ] && command -v pkg-config >/dev/null; then
        flags=$(pkg-config --cflags --libs "$mpi") || fail "pkg-config does not find $mpi"
        eval "quietly $compiler -o \"\$work/consumer\" \"\$here/consumer_mpi/consumer.c\" $flags"
        LD_LIBRARY_PATH=$prefix/lib "$work/consumer" || fail "the program built by pkg-config $mpi"
    fi
fi

# One project joins its own sources, which must not concern those of clsort. FetchContent, below,
# has the shared library under its usual name.
for pair in clsort-OFF clsort_static-ON; do
    consumer "subproject-$pair" -D CLSORT_SOURCE="$source" \
        -D CLSORT_LIBRARY="clsort::${pair%-*}" -D BUILD_SHARED_LIBS="${pair#*-}" \
        -D CMAKE_UNITY_BUILD="${pair#*-}"
done
say "FetchContent of a source archive"
for folder in .ci .github cl docs include src tests tools; do
    [ ! -e "$source/$folder" ] || echo "$folder"
done >"$work/folders"
(cd "$source" && tar -czf "$work/clsort.tar.gz" --exclude='*.pyc' ./*.md ./*.txt ./*.json LICENSE \
    -T "$work/folders")
consumer fetch-content -D CLSORT_ARCHIVE="$work/clsort.tar.gz" -D CLSORT_LIBRARY=clsort::clsort
say "a sub-project installs nothing"
quietly cmake --install "$work/subproject-clsort_static-ON" --prefix "$work/nothing"
[ -z "$(find "$work/nothing" -type f 2>/dev/null)" ] || fail "$(find "$work/nothing" -type f)"

say "install of the static library alone"
build "$work/build-static" "$source" -D CLSORT_BUILD_TESTS=OFF -D CLSORT_BUILD_TOOL=OFF \
    -D BUILD_SHARED_LIBS=OFF -D CMAKE_INSTALL_LIBDIR=lib
quietly cmake --install "$work/build-static" --prefix "$work/static"
defines_own_names "$work"/static/lib/*.a
consumer static-clsort -D CMAKE_PREFIX_PATH="$work/static" -D CLSORT_LIBRARY=clsort::clsort
consumer static-clsort_static -D CMAKE_PREFIX_PATH="$work/static" \
    -D CLSORT_LIBRARY=clsort::clsort_static
export PKG_CONFIG_PATH="$work/static/lib/pkgconfig"
if command -v pkg-config >/dev/null; then
    flags=$(pkg-config --static --cflags --libs clsort) || fail "pkg-config --static"
    eval "quietly \"\$CC\" -o \"\$work/consumer\" \"\$here\"/consumer/*.c $flags"
    "$work/consumer" || fail "the program built by pkg-config --static"
fi
if [ -n "$mpi" ]; then
    build "$work/static-mpi" "$here/consumer_mpi" -D CMAKE_PREFIX_PATH="$work/static" \
        -D CLSORT_COMPONENT=mpi
    "$work/static-mpi/consumer" || fail "the program built in $work/static-mpi"
fi

say "install without clsort_mpi"
build "$work/build-static" "$source" -D CLSORT_BUILD_MPI=OFF
quietly cmake --install "$work/build-static" --prefix "$work/alone"
[ -s "$work/alone/include/clsort/clsort.h" ] || fail "clsort.h is not in the prefix"
mpi_files=$(find "$work/alone" -name '*mpi*' -not -path '*/share/doc/*')
[ -z "$mpi_files" ] || fail "these files are of clsort_mpi: $mpi_files"

if command -v pkg-config >/dev/null; then
    say "pkg-config of absolute folders with blanks"
    blank="$work/a prefix"
    quietly cmake -S "$source" -B "$work/build-static" -D CMAKE_INSTALL_PREFIX="$blank" \
        -D CMAKE_INSTALL_LIBDIR="$blank/lib"
    quietly cmake --install "$work/build-static" --component development
    flags=$(PKG_CONFIG_PATH=$blank/lib/pkgconfig pkg-config --cflags --libs clsort)
    eval "quietly \"\$CC\" -o \"\$work/consumer\" \"\$here\"/consumer/*.c $flags"
fi

echo "install: every check passed"
