#!/bin/sh
# A job as a program: fails as long as the file named first is there, else gives its payload back.
if [ -e "$1" ]; then
  echo "the printing service is down" >&2
  exit 1
fi
exec cat
