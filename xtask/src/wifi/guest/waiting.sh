# Sourced by the guest's init: waits for a state, each with a deadline, and the one way to give up.

# until_true SECONDS WHAT COMMAND…: waits until COMMAND succeeds; gives up, saying WHAT was awaited, when it takes too long.
until_true() {
  limit=$1 what=$2
  shift 2
  deadline=$(($(uptime_ms) + limit * 1000))
  until "$@" >/dev/null 2>&1; do
    [ "$(uptime_ms)" -lt "$deadline" ] || give_up "waited $limit s in vain for: $what"
    usleep 20000
  done
}

# Milliseconds since boot, of the monotonic clock.
uptime_ms() {
  read -r up idle </proc/uptime
  echo "${up%.*}${up#*.}0"
}

# say TEXT: a line for people, with how long the machine runs.
say() {
  echo "guest: $(uptime_ms) ms: $*"
}

# give_up TEXT: says why, shows the last lines of every log, hands over what there is, and ends the machine.
give_up() {
  say "FAILED: $*"
  echo "$*" >/results/failed
  for log in /results/*.log; do
    echo "--- $log"
    tail -n 15 "$log"
  done
  hand_over
}

# hand_over: all results as one archive over the second serial port, byte for byte; then the machine is off.
hand_over() {
  stty -F /dev/ttyS1 raw -echo
  tar -C /results -c . >/dev/ttyS1
  sync
  poweroff -f
  # The shell is process 1: the kernel would panic if it ended before the power is off.
  sleep 60
}
