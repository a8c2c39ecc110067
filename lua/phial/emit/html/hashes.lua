--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "Z0Oolc7EgEHmUXGZqF0s8X4MaNyG6CHRnTiDmE4bVbo=",
  style = "fl3h3tqI9S+81QC4tnX7xJ9RT1sGz+gJgKIhMDqVpUs=",
}
