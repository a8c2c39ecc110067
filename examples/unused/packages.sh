#!/bin/sh
# packages.sh FOLDER: checks the Lua files of the Debian packages below, which are
# unpacked in FOLDER, and compares with luacheck on which lines variables are reported.
# Leaves the reports in FOLDER/reports and, with those that are not sure, in FOLDER/all.
set -eu
packages="lua-busted lua-ldoc lua-penlight nmap-common prosody"

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
for package in $packages; do
  test -d "$package" && continue
  apt-get download --quiet=2 "$package"
  dpkg -x "$package"_*.deb "$package"
  rm "$package"_*.deb
done
# shellcheck disable=SC2086 # the packages are words
find $packages -type f -name '*.[ln][us][ae]' | LC_ALL=C sort >files

# exit status 1: something was reported, or is not Lua 5.4
xargs lua5.4 "$here/main.lua" <files >reports 2>errors || true
xargs lua5.4 "$here/main.lua" --all <files >all 2>errors || true
xargs luacheck --no-config --quiet --codes --formatter plain --no-color <files >luacheck || true
lua5.4 "$here/lines.lua" reports luacheck
