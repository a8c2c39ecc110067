-- Files as texts.
return require "tools.file"
