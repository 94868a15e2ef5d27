#!/bin/sh
# A job as a program: notes in the file named first that it has begun, then waits until somebody writes into the
# pipe named second.
echo "$REDRIVE_JOB_ID $REDRIVE_ATTEMPT" >> "$1"
read -r line < "$2"
