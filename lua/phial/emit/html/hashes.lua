--- What the policy of a page permits: SHA-256 of the viewer's script and style, in base64, by
-- `make generate`.
return {
  script = "bCjOhDAymwmRL+Hq4aewiT2nk8NwAd7aiQBsh9OJfiY=",
  style = "IN+VQKj05cGFtHg71j4pbBfbr8G0JRzei4v4bvU0TlU=",
}
