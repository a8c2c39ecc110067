--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "RuqINsV/ZXOk+f/TAL9IYdvQpfxuK78L3o70rOWdOQ4=",
  style = "06KNDXMWmVjCYgM3xc6XE3xnlhdEoKfbKa74nRKgbRE=",
}
