--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "T/S8FrmjLquvtl+m/ZVAtGpxuKTnR5uEB/mY6nyLmXo=",
  style = "06KNDXMWmVjCYgM3xc6XE3xnlhdEoKfbKa74nRKgbRE=",
}
