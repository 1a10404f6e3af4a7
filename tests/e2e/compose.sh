#!/usr/bin/env bash
# Build the image, bring the composition up, look at it, play a match at it, and take it all away.
#
# It takes Docker where an engine answers, else podman with podman-compose. It exits with 0 when
# all is well, and with 77 and the reason where no container can be run. What it makes has names
# of its own and is gone when it ends, however that comes about.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly BASE=docker.io/library/python:3.11-slim
readonly PROJECT=passing-test-$$
readonly PATIENCE_S=60
readonly MATCH_S=120
readonly STOP_S=10

scratch=$(mktemp -d)
log=$scratch/log
base_is_ours=false
engine=
compose=()
export PASSING_IMAGE=localhost/$PROJECT PASSING_NAME=Dana PASSING_PORT=28066

# --- words and ends ------------------------------------------------------------------------------

say() { echo "== $*"; }

fail() {
    say "FAILED: $*"
    tail -n 40 "$log"
    [[ -z $engine ]] || compose logs server greedy careful 2>&1 | tail -n 60
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# Wait until a command succeeds.
until_done() {
    local end=$((SECONDS + PATIENCE_S))
    until "$@" >>"$log" 2>&1; do
        ((SECONDS < end)) || fail "in $PATIENCE_S s never: $*"
        sleep 0.2
    done
}

compose() { "${compose[@]}" -p "$PROJECT" "$@"; }

containers() {
    "$engine" ps -aq --filter "label=com.docker.compose.project=$PROJECT" \
        ${1:+--filter "label=com.docker.compose.service=$1"}
}

leftovers() {
    local mine="label=com.docker.compose.project=$PROJECT"
    containers
    "$engine" network ls -q --filter "$mine"
    "$engine" volume ls -q --filter "$mine"
}

clean_up() {
    local code=$?
    trap - EXIT
    set +e
    if [[ -n $engine ]]; then
        take_down
        "$engine" image rm -f "$PASSING_IMAGE"
        ! $base_is_ours || "$engine" image rm -f "$BASE"
    fi >>"$log" 2>&1
    rm -rf --one-file-system "$scratch"
    exit "$code"
}

take_down() {
    local mine="label=com.docker.compose.project=$PROJECT"
    compose down -v -t "$STOP_S"
    # An interrupted client is not down's, and not every podman-compose's down knows networks.
    containers | xargs -r "$engine" rm -f
    "$engine" network ls -q --filter "$mine" | xargs -r "$engine" network rm
}

# --- what there is to work with ------------------------------------------------------------------

choose_tools() {
    if docker info && docker compose version; then
        compose=(docker compose)
        engine=docker
    elif command -v podman && command -v podman-compose; then
        compose=(podman-compose)
        engine=podman
    fi >>"$log" 2>&1
    [[ -n $engine ]] || skip "no Docker engine with compose answers, and podman or podman-compose is missing"
    say "$engine, with ${compose[*]}"
}

# Have the Dockerfile's base image: it is there, a registry has it, or Debian's packages make it.
have_base() {
    "$engine" image inspect "$BASE" >>"$log" 2>&1 && return
    timeout 300 "$engine" pull "$BASE" >>"$log" 2>&1 && return
    [[ $engine == podman && $EUID -eq 0 && -n $(command -v debootstrap) ]] ||
        skip "no registry has $BASE, and only root with podman and debootstrap can make one"
    say "no registry answers: the base image is made of Debian's packages"
    debootstrap --variant=minbase --include=python3,python3-venv,python3-pip \
        bookworm "$scratch/base" >>"$log" 2>&1 || skip "debootstrap: $(tail -n 1 "$log")"
    rm -rf "$scratch"/base/var/cache/apt/* "$scratch"/base/var/lib/apt/lists/*
    base_is_ours=true
    tar -C "$scratch/base" -c . | podman import - "$BASE" >>"$log" 2>&1 || fail "podman import"
    rm -rf --one-file-system "$scratch/base"
}

# Find settings with which a container starts: podman inside a container may raise no limits, and
# crun takes not every arrangement of control groups.
have_runtime() {
    local settings
    for settings in '' '[containers]\ndefault_ulimits = []\n' \
        '[containers]\ndefault_ulimits = []\n[engine]\nruntime = "runc"\n'; do
        if [[ -n $settings ]]; then
            [[ $engine == podman ]] || break
            # shellcheck disable=SC2059 # It is a format without arguments.
            printf "$settings" >"$scratch/containers.conf"
            export CONTAINERS_CONF=$scratch/containers.conf
        fi
        "$engine" run --rm --network none -m 64m "$BASE" true >>"$log" 2>&1 && return
    done
    skip "$engine cannot start a container here: $(tail -n 1 "$log")"
}

# --- the image -----------------------------------------------------------------------------------

# This machine's way to the package index, without what is a path of this machine.
pip_settings() {
    echo '[global]'
    python3 -m pip config list 2>>"$log" |
        sed -nE "s/^(global|:env:)\.(index-url|proxy|trusted-host)='(.*)'$/\2 = \3/p" | sort -t= -uk1,1
    [[ -z $1 ]] || echo 'cert = /etc/ca.pem'
}

build_image() {
    local authority options=()
    authority=$(python3 -m pip config list 2>>"$log" |
        sed -nE "s/^(global|:env:)\.cert='(.*)'$/\2/p" | head -n 1) || true
    [[ -z $authority ]] || options+=(--secret "id=ca.pem,src=$authority")
    pip_settings "$authority" >"$scratch/pip.conf"
    # Without layers podman keeps nothing of the stage that builds.
    [[ $engine != podman ]] || options+=(--layers=false)
    "$engine" build --network=host --secret "id=pip.conf,src=$scratch/pip.conf" "${options[@]}" \
        --tag "$PASSING_IMAGE" . >>"$log" 2>&1 || fail "the image does not build"
    say "image built: $(megabytes "$PASSING_IMAGE"), of which the base is $(megabytes "$BASE")"
}

megabytes() { "$engine" image inspect -f '{{.Size}}' "$1" | awk '{printf "%.0f MB", $1 / 1e6}'; }

# --- the composition -----------------------------------------------------------------------------

free_port() {
    while (exec 3<>"/dev/tcp/127.0.0.1/$PASSING_PORT") 2>>"$log"; do
        PASSING_PORT=$((PASSING_PORT + 1))
    done
}

healthy() {
    case $engine in
        # Without systemd nobody else asks podman's health checks.
        podman) podman healthcheck run "$(containers server)" ;;
        docker) [[ $(docker inspect -f '{{.State.Health.Status}}' "$(containers server)") == healthy ]] ;;
    esac
}

# Get the code that lets the client's container join, as its operator does.
invite() {
    local told
    told=$("$engine" exec "$(containers server)" passing serve invite --state /state --json 2>>"$log") ||
        fail "invite"
    PASSING_CODE=$(sed -E 's/.*"code":"([^"]*)".*/\1/' <<<"$told")
    export PASSING_CODE
    [[ $PASSING_CODE =~ ^(.{5}-){3}.{5}$ ]] || fail "no code: $told"
}

# Run something in the client's container.
client() { compose run --rm -T --no-deps client "$@"; }

engines_wait() {
    printf 'tables\nquit\n' | client 2>&1 | tee /dev/stderr | grep -E 'waiting: .*(careful.*greedy|greedy.*careful)'
}

bring_up() {
    free_port
    compose up -d --no-build server greedy careful >>"$log" 2>&1 || fail "up"
    until_done healthy
    invite
    until_done engines_wait
    unset PASSING_CODE  # its key is remembered
    until_done engines_wait
    say "up and healthy: $(containers | wc -l) containers"
}

verify_processes() {
    local id status expected
    expected=$'Uid:\t28066\t28066\t28066\t28066\nCapEff:\t0000000000000000\nNoNewPrivs:\t1'
    for id in $(containers); do
        status=$("$engine" exec "$id" grep -E '^(Uid|CapEff|NoNewPrivs):' /proc/1/status)
        [[ $status == "$expected" ]] || fail "a container's process is more than it has to be: $status"
        "$engine" exec "$id" grep -Eq '^[^ ]+ / [^ ]+ ro[, ]' /proc/mounts || fail "a container's root can be written"
    done
    say "no process is root or has a capability, and no root file system can be written"
}

verify_ports() {
    local id published
    published=$(for id in $(containers); do "$engine" port "$id"; done | sort)
    [[ $published == "28066/tcp -> 127.0.0.1:$PASSING_PORT"$'\n'"28066/udp -> 127.0.0.1:$PASSING_PORT" ]] ||
        fail "published: $published"
    say "published: ${published//$'\n'/, }"
    invite
    "$engine" run --rm --network host "$PASSING_IMAGE" doctor "127.0.0.1:$PASSING_PORT" --code "$PASSING_CODE" \
        >"$scratch/doctor" 2>>"$log" || fail "$(cat "$scratch/doctor")"
    unset PASSING_CODE
    grep '^fine *server ' "$scratch/doctor" || fail "the server does not answer at that port"
}

verify_client_is_no_engine() {
    client bot run greedy server:28066 --connection /state/server.json >"$scratch/client" 2>&1 || true
    grep -q 'passing: --connection /state/server.json: No such file' "$scratch/client" ||
        fail "the client's container: $(cat "$scratch/client")"
    say "the client's container has no connection file"
}

# --- a match -------------------------------------------------------------------------------------

# Print what to type when it is one's turn: play, else draw, else pass.
answer() {
    if [[ $1 =~ ([0-6])-([0-6])\ (left|right) ]]; then
        echo "${BASH_REMATCH[1]}${BASH_REMATCH[2]} ${BASH_REMATCH[3]}"
    elif [[ $1 == *draw* ]]; then
        echo d
    else
        echo p
    fi
}

# Play a match with both engines, by nothing but what the client prints.
play_match() {
    local line pid tile='' final='' begun=$SECONDS
    coproc person { client 2>&1; }
    # shellcheck disable=SC2154 # It is set by coproc.
    pid=$person_PID
    while IFS= read -r -t "$PATIENCE_S" line <&"${person[0]}"; do
        ((SECONDS - begun < MATCH_S)) || fail "no match is over after $MATCH_S s"
        echo "client: $line" >>"$log"
        case $line in
            'exit code: '[!0]*) fail "the client: $line" ;;
            'Engines waiting: '*) echo 'new kitchen seats=3 turn_ms=0 pace_ms=0' ;;
            'Table kitchen. You are Dana'*) echo 'invite greedy' ;;
            'greedy sits down'*) echo 'invite careful' ;;
            'careful sits down'*) echo start ;;
            'Your hand'*) [[ ! $line =~ ([0-6])-([0-6]) ]] || tile=${BASH_REMATCH[1]}${BASH_REMATCH[2]} ;;
            'Your turn. '*'any tile'*) echo "$tile" ;;
            'Your turn. '*) answer "$line" ;;
            'The next round begins'*) echo ;;
            'Final scores: '*) final=$line; echo quit ;;
        esac >&"${person[1]}"
        case $line in
            Connected* | Engines* | *'sits down'* | 'The match '* | Round* | *' win'* | 'Final scores'*)
                echo "   $line" ;;
        esac
    done
    wait "$pid" || fail "the client ended with $?"
    [[ -n $final ]] || fail "the match did not come to its end"
    say "a match was played in $((SECONDS - begun)) s"
}

# A server that comes back has new tokens, and the engines have to read them.
verify_comeback() {
    local before
    before=$("$engine" inspect -f '{{.State.Pid}}' "$(containers server)")
    # It may be gone before it can say how that went.
    "$engine" exec "$(containers server)" sh -c 'kill 1' >>"$log" 2>&1 || true
    is_another() { [[ $("$engine" inspect -f '{{.State.Pid}}' "$(containers server)") != "$before" ]]; }
    until_done is_another
    until_done healthy
    until_done engines_wait
    say "the server was ended; it and both engines came back by themselves"
}

# --- the end -------------------------------------------------------------------------------------

verify_stop() {
    local id code begun=$SECONDS
    compose stop -t "$STOP_S" careful greedy server >>"$log" 2>&1
    ((SECONDS - begun < STOP_S)) || fail "stopping took $((SECONDS - begun)) s"
    for id in $(containers); do
        code=$("$engine" inspect -f '{{.State.ExitCode}}' "$id")
        [[ $code == 0 ]] || fail "a container ended with $code"
    done
    take_down >>"$log" 2>&1
    [[ -z $(leftovers) ]] || fail "left behind: $(leftovers)"
    say "stopped and gone in $((SECONDS - begun)) s: every exit code was 0, and nothing is left"
}

trap clean_up EXIT
trap 'exit 130' INT TERM HUP
choose_tools
have_base
have_runtime
build_image
bring_up
verify_processes
verify_ports
verify_client_is_no_engine
play_match
verify_comeback
verify_stop
say "all is well, after $SECONDS s"
