--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "luqHu5spDL31myabyY/jQhBq6nAESaStoYYk+am2vdg=",
  style = "EHMy/HNakp/uKrAX3b27TndyRhEbPM8Q/wMAZqXckWQ=",
}
