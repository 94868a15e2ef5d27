#!/bin/sh
# A job as a program. Notes its attempt in the file named first, in one write; then does what the second word
# says: nothing, take a moment, or fail the first time.
echo "$REDRIVE_JOB_TYPE $REDRIVE_JOB_ID $REDRIVE_RUN $REDRIVE_ATTEMPT" >> "$1"
case "$2" in
  moment) exec sleep 0.04 ;;
  flaky) [ "$REDRIVE_ATTEMPT" -gt 1 ] ;;
esac
