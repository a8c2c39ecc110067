--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "wYxF29w+iD6UW9Pe3mKMeOe/mNImVhd3aeShI5eyki8=",
  style = "fl3h3tqI9S+81QC4tnX7xJ9RT1sGz+gJgKIhMDqVpUs=",
}
