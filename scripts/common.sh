# Shared by run and test: source this file. Works as root or through sudo, on a bare Debian 12.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '== %s\n' "$*" >&2; }

# The project's Debian packages, in groups.
BUILD_PACKAGES=(g++ cmake ninja-build ccache libtorch-dev libonnx-dev libprotobuf-dev protobuf-compiler libdnnl-dev
                libcli11-dev nlohmann-json3-dev libssl-dev libzip-dev libjpeg-dev libpng-dev zlib1g-dev libxxhash-dev
                libstb-dev pkg-config
                python3 # the tests, which CMake looks for when it configures the release
                ocl-icd-opencl-dev) # the CMake files of libdnnl-dev require OpenCL, which Debian only recommends
WINDOW_PACKAGES=(qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools libqcustomplot-dev)
TEST_PACKAGES=(qt6-base-dev libbenchmark-dev libonnx-testdata python3-venv)

# install_packages NAME...: installs missing packages with a message; otherwise does nothing.
install_packages() {
    local missing=()
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { say "these packages are missing and there is no sudo: ${missing[*]}"; exit 1; }
        as_root=(sudo)
    fi
    say "installing with apt: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# run_tests PRESET [ctest options]: runs the tests and prints their number, by program and by function.
run_tests() {
    local preset=$1 status=0 log summary
    shift
    log=build/$preset/Testing/Temporary/LastTest.log
    summary=$ROOT/build/$preset/Testing/summary.xml
    rm -f "$log" "$summary"
    ctest --preset "$preset" -j "$(nproc)" --output-junit "$summary" "$@" || status=$?
    if [ -f "$log" ] && [ -f "$summary" ]; then
        local all bad skipped
        all=$(sed -n 's/^[[:space:]]*tests="\([0-9]*\)".*/\1/p' "$summary" | head -n 1)
        bad=$(sed -n 's/^[[:space:]]*failures="\([0-9]*\)".*/\1/p' "$summary" | head -n 1)
        skipped=$(sed -n 's/^[[:space:]]*skipped="\([0-9]*\)".*/\1/p' "$summary" | head -n 1)
        say "$preset: $all test programs, $bad failed, $skipped skipped;" \
            "$(awk '/^Totals: [0-9]+ passed, / { good += $2; bad += $4; left += $6 }
                    END { printf "%d test functions passed, %d failed, %d skipped", good, bad, left }' "$log")"
    fi
    [ "$status" -eq 0 ] || say "$preset: the tests have FAILED (ctest $status)"
    return "$status"
}

# build_preset PRESET [TARGET]: configures if necessary and builds.
build_preset() {
    local preset=$1
    if [ ! -f "build/$preset/build.ninja" ] || [ CMakePresets.json -nt "build/$preset/build.ninja" ]; then
        say "configuring $preset"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log" >&2; rm -f "build-$preset.log"; exit 1; }
        rm -f "build-$preset.log"
    fi
    say "building $preset (the first time takes minutes)"
    cmake --build --preset "$preset" ${2:+--target "$2"} -- --quiet >&2
}
