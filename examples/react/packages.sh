#!/bin/sh
# packages.sh FOLDER: compares all functions of the npm packages in packages.txt.
# Works in FOLDER, where the compiler must be installed (README.md); npm and node
# are needed.  A line of packages.txt: package, folder in it, files.
set -eu
cd "$(dirname "$0")"
here=$PWD
cd "$1"
while read -r package folder files; do
  name=$(npm pack --silent "$package")
  mkdir -p "src/$name"
  tar xzf "$name" -C "src/$name" --strip-components=1
  rm "$name"
  find "src/$name/$folder" -type f -name "$files" | LC_ALL=C sort >files
  # the words of a file of names, which are too many for one command line
  node "$here/dump.mjs" "$name.jsonl" @files
  echo "$package: $(lua5.4 "$here/main.lua" --compare "$name.jsonl" | tee -a differences | tail -1)"
done <"$here/packages.txt"
