--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "4YKNIAKUSnNkXkO+lx7Yhm1ZD5VYm50htwKrIIC1f9c=",
  style = "06KNDXMWmVjCYgM3xc6XE3xnlhdEoKfbKa74nRKgbRE=",
}
